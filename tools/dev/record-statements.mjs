/** Loaded into each process of a test run: the recorder of statements, where this Node runs TypeScript. Tests start older ones too. */
if (process.features.typescript) await import('@store/testbed/record-statements');
