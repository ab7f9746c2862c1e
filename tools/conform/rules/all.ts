import type { Contract } from '../contract.ts';
import type { Rule } from '../rule.ts';
import { accessRules } from './access.ts';
import { authenticationRules } from './authentication.ts';
import { badInputRules } from './bad-input.ts';
import { envelopeRules } from './envelope.ts';
import { errorRules } from './errors.ts';
import { listRules } from './lists.ts';

/** Rules that are made from the reference come with every endpoint. */
export const allRules = (contract: Contract): Rule[] =>
  [authenticationRules, accessRules, envelopeRules, errorRules, listRules, badInputRules].flatMap((rulesOf) => rulesOf(contract));
