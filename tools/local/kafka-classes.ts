/**
 * Kafka's classes as the JVM keeps them between runs (class data sharing): reading and checking them is half of a broker's start,
 * 1.9 instead of 3.6 s of processor time. One file per version of Java and Kafka, beside the jars.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endChild } from './end-child.ts';
import { freePort } from './free-port.ts';
import { brokerArgs, kafkaMissing, keptFile, plainSettings, prepare, untilListening } from './kafka.ts';

/** Longest time of a broker that writes its classes at its end, on a busy machine. */
const madeWithinMs = 180_000;

/** Makes the file if there is none: a broker starts on an empty directory and ends. Without it everything works, more slowly. */
export async function keepKafkaClasses(log: (line: string) => void): Promise<void> {
  if (kafkaMissing(log) || existsSync(keptFile())) return;
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-kafka-classes-'));
  const unfinished = `${keptFile()}.${process.pid}`;
  try {
    const broker = await freePort(0);
    const controller = await freePort(broker + 1);
    const settings = await prepare(dir, plainSettings({ broker, controller }));
    const child = spawn('java', [`-XX:ArchiveClassesAtExit=${unfinished}`, ...brokerArgs(settings)], { stdio: 'ignore' });
    await untilListening(child, broker, dir).finally(() => endChild(child, 'SIGTERM', madeWithinMs));
    // Without a code it was killed, perhaps while it wrote.
    if (child.exitCode !== null && existsSync(unfinished)) renameSync(unfinished, keptFile());
  } catch (error) {
    log(`Kafka's classes could not be kept, so its starts take longer: ${(error as Error).message}`);
  } finally {
    rmSync(unfinished, { force: true });
    rmSync(dir, { recursive: true, force: true });
  }
}
