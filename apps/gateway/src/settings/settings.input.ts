/** Validates the settings that staff send, with every field's path in errors (`store.email is invalid`). */
import { type Accepted, type FieldErrors, type Fields, parseFields } from '@store/input';
import { invalid, missing } from '@store/problem';
import type { SettingsInput__Output } from '@store/protos/gateway/v1.ts';
import { blockFields, presetFields, presetsMax, topFields } from './settings-fields.ts';

type Blocks = { [Name in keyof typeof blockFields]?: Accepted<(typeof blockFields)[Name]> };

export interface SettingsChange {
  top: Accepted<typeof topFields>;
  blocks: Blocks;
  /** Absent: unchanged. */
  discountPresets?: { label: string; percentage: string }[];
}

export function acceptSettings(input: SettingsInput__Output | undefined): SettingsChange {
  if (!input || Object.entries(input).every(([name, value]) => isEmptyList(value) && name !== 'empty_lists')) throw missing('settings');
  const errors: string[] = [];
  const top = acceptedBlock(topFields, input, '', errors);
  const blocks: Record<string, unknown> = {};
  for (const [name, fields] of Object.entries(blockFields)) {
    if (input.malformed?.includes(name)) errors.push(`${name} is invalid`);
    const block = input[name as keyof typeof blockFields];
    if (block) blocks[name] = acceptedBlock(fields, block, `${name}.`, errors);
  }
  const discountPresets = acceptedPresets(input, errors);
  refuseEmptied(top, errors);
  if (errors.length > 0) throw invalid(errors);
  return { top, blocks: blocks as Blocks, ...(discountPresets && { discountPresets }) };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function acceptedBlock<F extends Fields>(fields: F, message: object, prefix: string, errors: string[]): Accepted<F> {
  const found: FieldErrors = {};
  const { values } = parseFields(fields, message, found);
  for (const [name, messages] of Object.entries(found)) errors.push(...messages.map((text) => `${prefix}${name} ${text}`));
  return values;
}

/** These two always have a value, so null cannot clear them. */
function refuseEmptied(top: Accepted<typeof topFields>, errors: string[]): void {
  for (const name of ['opening_float', 'idle_timeout_minutes'] as const) if (top[name] === null) errors.push(`${name} can't be blank`);
}

function acceptedPresets(input: SettingsInput__Output, errors: string[]): SettingsChange['discountPresets'] {
  const wrong = (input.malformed ?? []).filter((path) => path.split('.')[0] === 'discount_presets');
  if (wrong.length > 0) {
    errors.push(...wrong.map((path) => `${path} is invalid`));
    return undefined;
  }
  const sent = input.discount_presets ?? [];
  if (sent.length === 0) return input.empty_lists?.includes('discount_presets') ? [] : undefined;
  if (sent.length > presetsMax) errors.push(`discount_presets is too long (maximum is ${presetsMax})`);
  return sent.slice(0, presetsMax).map((preset, index) => {
    const prefix = `discount_presets.${index}.`;
    const { label, percentage } = acceptedBlock(presetFields, preset, prefix, errors);
    if (preset.label === undefined) errors.push(`${prefix}label can't be blank`);
    if (preset.percentage === undefined || (percentage === null && preset.percentage.trim() === '')) {
      errors.push(`${prefix}percentage can't be blank`);
    }
    return { label: label ?? '', percentage: percentage ?? '' };
  });
}
