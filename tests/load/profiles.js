/** What the users do, how often, and what must hold; read by k6 and by the command. Plain JavaScript, as k6 runs it. */

/** Iterations in ten seconds at factor 1: about the traffic of fifty busy stores. */
export const scenarios = {
  catalogue_sync: {
    exec: 'catalogueSync',
    per10s: 5,
    vus: 10,
    p95Ms: 600,
    what: 'a web shop asks for what changed since its last look (updated_since)',
  },
  nightly_upsert: {
    exec: 'nightlyUpsert',
    per10s: 1,
    vus: 4,
    p95Ms: 2500,
    what: 'a back office sends its catalogue in parts of 250 rows (bulk_upsert)',
  },
  point_lookups: {
    exec: 'pointLookups',
    per10s: 150,
    vus: 20,
    p95Ms: 250,
    what: 'a till or a shop page reads one product, by id or by code',
  },
  register_day: {
    exec: 'registerDay',
    per10s: 10,
    vus: 10,
    p95Ms: 800,
    what: 'staff sell, look a customer up, and void one sale in twenty',
  },
  webhook_burst: { exec: 'webhookBurst', per10s: 20, vus: 10, p95Ms: 600, what: 'stock changes, and each is sent to every subscriber' },
};

/**
 * Stages of [seconds, factor]; `patience` multiplies the limits of latency, `failed` is the largest share of failed requests. `bends`: more is
 * asked for than any machine can do, so both are limits of the last stage alone, and before it a request may be refused as documented.
 */
export const profiles = {
  smoke: { stages: [[20, 1]], patience: 8, failed: 0.001, what: 'whether everything works at all; on any machine' },
  load: {
    stages: [
      [30, 3],
      [300, 3],
    ],
    patience: 1,
    failed: 0.001,
    what: 'a busy day',
  },
  stress: {
    stages: [
      [60, 3],
      [120, 10],
      [120, 20],
      [60, 40],
      [30, 1],
      [60, 1],
    ],
    // The webhooks of all that was changed are still being sent.
    patience: 4,
    failed: 0.001,
    bends: true,
    what: 'more and more until it bends, then back',
  },
  soak: {
    stages: [
      [60, 3],
      [7200, 3],
    ],
    patience: 1,
    failed: 0.001,
    what: 'two hours: leaks and growing tables',
  },
};

export const secondsOf = ({ stages }) => stages.reduce((sum, [seconds]) => sum + seconds, 0);

/** The profile in another time: each stage has its part of it, a second at least. */
export const lasting = (profile, seconds) => ({
  ...profile,
  stages: profile.stages.map(([stage, factor]) => [Math.max(1, Math.round((stage * seconds) / secondsOf(profile))), factor]),
});

/** The profile of that name; `seconds`: how long instead of its own time. */
export const profileOf = (name, seconds) => (seconds ? lasting(profiles[name], seconds) : profiles[name]);

/** The number of the stage, from 1, at that time of the run. */
export function stageAt({ stages }, ms) {
  let endsAtMs = 0;
  const index = stages.findIndex(([seconds]) => {
    endsAtMs += seconds * 1_000;
    return ms < endsAtMs;
  });
  return index === -1 ? stages.length : index + 1;
}

/** Limits that every run keeps: k6 has figures of one stage only where there is a limit of them. */
const figuresOf = (stage) => ({
  [`http_reqs{stage:${stage}}`]: ['count>=0'],
  [`http_req_failed{stage:${stage}}`]: ['rate>=0'],
  [`http_req_duration{stage:${stage}}`]: ['max>=0'],
});

/** k6's options for a profile and these scenarios; `seconds`: how long instead of the profile's own time. */
export function optionsOf(profileName, names, seconds) {
  const profile = profileOf(profileName, seconds);
  const last = profile.stages.length;
  const thresholds = { checks: [`rate>${1 - profile.failed}`] };
  for (let stage = 1; stage <= last; stage++) Object.assign(thresholds, figuresOf(stage));
  thresholds[profile.bends ? `http_req_failed{stage:${last}}` : 'http_req_failed'] = [`rate<${profile.failed}`];
  const chosen = {};
  for (const name of names) {
    const { exec, per10s, vus, p95Ms } = scenarios[name];
    const most = Math.max(...profile.stages.map(([, factor]) => factor));
    chosen[name] = {
      exec,
      executor: 'ramping-arrival-rate',
      startRate: per10s * profile.stages[0][1],
      timeUnit: '10s',
      preAllocatedVUs: vus,
      maxVUs: vus * most * 4,
      stages: profile.stages.map(([seconds, factor]) => ({ duration: `${seconds}s`, target: per10s * factor })),
      gracefulStop: '15s',
    };
    const limit = [`p(95)<${p95Ms * profile.patience}`];
    thresholds[`http_req_duration{scenario:${name}}`] = profile.bends ? ['max>=0'] : limit;
    if (profile.bends) thresholds[`http_req_duration{scenario:${name},stage:${last}}`] = limit;
  }
  return { scenarios: chosen, thresholds, summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'] };
}
