import { sha256Hex } from '../../platform/digests';

const FILE = '{}';
export const FILE_CHECKSUM = sha256Hex(FILE);

/** Operations with a file take a multipart form. */
export const takesForm = (operation: object): boolean => 'file' in operation && operation.file === true;

/** The body as a client sends it. In a form, `text` is the part `data`, which the user action covers. */
export function bodyOf(isForm: boolean, text: string): { headers: Record<string, string>; body?: string | FormData } {
  if (text === '') return { headers: {} };
  if (!isForm) return { headers: { 'content-type': 'application/json' }, body: text };
  const form = new FormData();
  form.append('data', text);
  form.append('file', new Blob([FILE]));
  return { headers: {}, body: form };
}
