/** Properties that run against real servers, whose runs take as long as the machine is busy. */
import fc from 'fast-check';

/** Runs that would start later are left out, shrinking included; a quiet machine finishes all of them in a fraction of it. */
const startsWithinMs = 20_000;

/**
 * `fc.assert` with a bound in time, so that a busy machine makes fewer runs instead of a test that reaches its time limit.
 * A run that has started always ends: `interruptAfterTimeLimit` would leave it working beside the next test.
 */
export async function holds<Values>(property: fc.IAsyncProperty<Values>, parameters: fc.Parameters<Values>): Promise<void> {
  const lastStart = performance.now() + startsWithinMs;
  const run = property.run.bind(property);
  property.run = async (values) => (performance.now() > lastStart ? null : run(values));
  await fc.assert(property, parameters);
}
