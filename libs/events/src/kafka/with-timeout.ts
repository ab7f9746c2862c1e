/** Rejects after `ms`; the other promise continues, and its result is ignored. */
export function withTimeout<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
