import { sha256Hex } from '../../platform/digests';

const FILE = '{}';
export const FILE_CHECKSUM = sha256Hex(FILE);

/** The body as a client sends it. In a multipart form, `text` is the part `data`, which the user action covers. */
export function bodyOf({ file }: { readonly file?: boolean }, text: string): Pick<RequestInit, 'body'> & { headers: Record<string, string> } {
  if (text === '') return { headers: {} };
  if (file !== true) return { headers: { 'content-type': 'application/json' }, body: text };
  const form = new FormData();
  form.append('data', text);
  form.append('file', new Blob([FILE]));
  return { headers: {}, body: form };
}
