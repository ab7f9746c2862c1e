/** The thread of new-password.ts: the dictionaries take 60 MB, and a hostile text a third of a second. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { answerEach } from './own-thread.ts';

export interface ToScore {
  password: string;
  about: string[];
}

const judge = new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs: adjacencyGraphs });

answerEach(({ password, about }: ToScore): number => judge.check(password, about).score);
