/** Loaded before an app: SIGUSR2 sets that process's wall clock ahead, and the next one back, as an operator or NTP could. */
const jumpMs = 300_000;
const realNow = Date.now.bind(Date);
let aheadMs = 0;
process.on('SIGUSR2', () => {
  aheadMs = aheadMs === 0 ? jumpMs : 0;
});

class JumpingDate extends Date {
  constructor(...given: []) {
    if (given.length === 0) super(realNow() + aheadMs);
    else super(...given);
  }
  static override now(): number {
    return realNow() + aheadMs;
  }
}
globalThis.Date = JumpingDate as DateConstructor;
