const hertz = 220;
const seconds = 0.25;

/** A low tone: the code that was scanned is not a line. Where the browser allows no sound yet, the red line is all. */
export function unknownCode(): void {
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { type: 'square', frequency: hertz });
  tone.connect(new GainNode(audio, { gain: 0.1 })).connect(audio.destination);
  tone.addEventListener('ended', () => void audio.close());
  tone.start();
  tone.stop(audio.currentTime + seconds);
}
