/** The script that k6 runs: scenarios by name, and the figures as JSON. LOAD_CONFIG is the file that the command wrote. */
import exec from 'k6/execution';
import http from 'k6/http';
import { optionsOf, profileOf, stageAt } from '../profiles.js';
import { catalogueSync as syncOnce } from './catalogue-sync.js';
import { nightlyUpsert as upsertOnce } from './nightly-upsert.js';
import { pointLookups as lookUpOnce } from './point-lookups.js';
import { registerDay as sellOnce } from './register-day.js';
import { webhookBurst as adjustOnce } from './webhook-burst.js';

const config = JSON.parse(open(__ENV.LOAD_CONFIG));
export const options = optionsOf(config.profile, config.scenarios, config.seconds);
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }));

const profile = profileOf(config.profile, config.seconds);

/** The n-th iteration of its scenario, over all virtual users. */
function turn() {
  const stage = stageAt(profile, exec.instance.currentTestRunDuration);
  return { ...config, n: exec.scenario.iterationInTest, stage, mayRefuse: profile.bends === true && stage < profile.stages.length };
}

export const catalogueSync = () => syncOnce(turn());
export const nightlyUpsert = () => upsertOnce(turn());
export const pointLookups = () => lookUpOnce(turn());
export const registerDay = () => sellOnce(turn());
export const webhookBurst = () => adjustOnce(turn());

export function handleSummary(data) {
  return { [config.figures]: JSON.stringify(data) };
}
