/** Kafka's jars, the Java that runs them, and its classes as that Java has kept them (kafka-classes.ts). */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const kafkaVersion = '4.1.0';

/** Jars are kept outside the repository, so that a new clone does not download them again. */
export const jarDir = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  'store-developer-api',
  `kafka-${kafkaVersion}`,
);

let java: string | undefined;

/** What `java -version` says; empty: there is none. */
export function javaVersion(): string {
  if (java === undefined) {
    const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
    java = status === 0 ? stderr : '';
  }
  return java;
}

const hashChars = 12;
/** Where its classes are kept: one file per version of Java and Kafka, beside the jars. */
export const keptFile = () => `${jarDir}-${createHash('sha256').update(javaVersion()).digest('hex').slice(0, hashChars)}.jsa`;

/** Flags of the JVM. It takes a file that does not fit, such as one of other jars, as if there were none. */
export function keptClasses(): string[] {
  const file = keptFile();
  return existsSync(file) ? [`-XX:SharedArchiveFile=${file}`] : [];
}
