/** The plan in profiles.js with its types: k6 runs that file as it is. */
// @ts-expect-error A file of plain JavaScript without declarations.
import * as plan from './profiles.js';

export type ProfileName = 'smoke' | 'load' | 'stress' | 'soak';
export type ScenarioName = 'catalogue_sync' | 'nightly_upsert' | 'point_lookups' | 'register_day' | 'webhook_burst';

export interface Profile {
  stages: [seconds: number, factor: number][];
  patience: number;
  failed: number;
  bends?: boolean;
  what: string;
}

export interface K6Options {
  scenarios: Record<string, { exec: string; stages: { duration: string; target: number }[]; preAllocatedVUs: number; maxVUs: number }>;
  thresholds: Record<string, string[]>;
}

export const profiles = plan.profiles as Record<ProfileName, Profile>;
export const scenarios = plan.scenarios as Record<ScenarioName, { exec: string; per10s: number; p95Ms: number; what: string }>;
export const secondsOf = plan.secondsOf as (profile: Profile) => number;
export const lasting = plan.lasting as (profile: Profile, seconds: number) => Profile;
export const profileOf = plan.profileOf as (name: ProfileName, seconds?: number) => Profile;
export const stageAt = plan.stageAt as (profile: Profile, ms: number) => number;
export const optionsOf = plan.optionsOf as (profile: ProfileName, names: ScenarioName[], seconds?: number) => K6Options;
