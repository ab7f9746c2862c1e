/** Runs in a thread of its own (new-password.ts): the dictionaries take 60 MB, and a hostile text a third of a second. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

const judge = new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs: adjacencyGraphs });

parentPort!.on('message', ({ password, about }: { password: string; about: string[] }) =>
  parentPort!.postMessage(judge.check(password, about).score),
);
