import { fileURLToPath } from 'node:url';
import { pythonTool } from '../../tools/local/python-tool.ts';

const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/** The python that has schemathesis, or why there is none. */
export const schemathesisPython = (log: (line: string) => void): { python: string } | { skipped: string } =>
  pythonTool({ name: 'schemathesis', requirements, minor: 10 }, log);
