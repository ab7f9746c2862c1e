/** The order of test files: those that start the whole product first, so that no worker begins a long one when the others end. */
const { default: Sequencer } = require('@jest/test-sequencer');

/** Minutes rather than seconds, by folder and name; jest's own order, by earlier durations or by size, decides among equals. */
const long = [
  /tests.browser/,
  /journeys.(bad-input|openapi)\.test/,
  /tests.(faults|chaos)./,
  /tests.(journeys|fuzz)|tools.(demo|local)./,
  /\.test\.ts$/,
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => long.findIndex((pattern) => pattern.test(path));
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
