import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const id = 'https://api.example.com/openapi.json';

/** Finds the faults of a value against a schema of that OpenAPI document, what it refers to included. */
export function judgeOf(document: object): (schema: object, value: unknown) => unknown[] {
  const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }));
  for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
  ajv.addSchema({ $id: id, ...document });
  return (schema, value) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${id}#/`)) as object);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}
