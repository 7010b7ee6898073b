import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { document } from './document';

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, 'openapi');

/** The faults of a value under our own document, one line per fault. A member that the document does not list is a fault. */
function faultsAt(steps: readonly string[], value: unknown): readonly string[] {
  const pointer = steps.map((step) => encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/');
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (!validate) return [`${pointer} is not in the document`];
  if (validate(value) === true) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const;

export const faultsOfAnswer = (method: string, path: string, answer: unknown, status: 200 | 202 = 200): readonly string[] =>
  faultsAt(['paths', path, method, 'responses', `${status}`, ...JSON_SCHEMA], answer);

/** In a form, the JSON of the body is the text of the part `data`. */
const schemaOfBody = (method: string, path: string): readonly string[] =>
  document.paths[path]?.[method]?.requestBody?.content['multipart/form-data'] === undefined
    ? JSON_SCHEMA
    : ['content', 'multipart/form-data', 'schema', 'properties', 'data', 'contentSchema'];

/** The faults of a request's body. A request without a body has no fault. */
export const faultsOfBody = (method: string, path: string, body: unknown): readonly string[] =>
  body === undefined ? [] : faultsAt(['paths', path, method, 'requestBody', ...schemaOfBody(method, path)], body);

export const faultsOfDelivery = (envelope: { readonly kind: string }): readonly string[] =>
  faultsAt(['webhooks', envelope.kind, 'post', 'requestBody', ...JSON_SCHEMA], envelope);
