import { AppError } from '../../domain/errors';
import { invalidRequest } from './input';

/** The user action covers `data`, a JSON text that contains the checksum of the file. */
export type MultipartForm = { readonly data: Buffer; readonly file: Buffer };

const HEADERS_BYTES_MAX = 1_024;
const CRLF = '\r\n';
const PARTS = ['data', 'file'] as const;

/**
 * Parses a `multipart/form-data` body (RFC 7578) with exactly the parts `data` and `file`. Throws `UnsupportedMediaType` for a
 * different media type or a missing boundary, and `InvalidRequest` for any other deviation.
 */
export function parseForm(bytes: Buffer, contentType: string | undefined): MultipartForm {
  const boundary = /^multipart\/form-data\s*;\s*boundary=(?:"([^"\r\n]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*$/i.exec(
    contentType ?? '',
  );
  if (!boundary) throw new AppError('UnsupportedMediaType', 'The body must be multipart/form-data with the parts data and file');
  const delimiter = `--${boundary[1] ?? boundary[2]}`;
  const parts = new Map<string, Buffer>();
  let at = expect(bytes, 0, delimiter);
  while (!isAt(bytes, at, '--')) {
    at = expect(bytes, at, CRLF);
    const bodyAt = bytes.subarray(at, at + HEADERS_BYTES_MAX).indexOf(CRLF + CRLF);
    const end = bytes.indexOf(CRLF + delimiter, at + bodyAt);
    if (bodyAt < 0 || end < 0) throw malformed('is cut short');
    const name = nameOf(bytes.toString('latin1', at, at + bodyAt));
    if (!PARTS.some((known) => known === name)) throw malformed('has parts other than data and file');
    if (parts.has(name)) throw malformed(`has the part ${name} twice`);
    const start = at + bodyAt + 2 * CRLF.length;
    if (start > end) throw malformed('is cut short');
    parts.set(name, bytes.subarray(start, end));
    at = end + CRLF.length + delimiter.length;
  }
  const rest = bytes.toString('latin1', at + 2);
  if (rest !== '' && rest !== CRLF) throw malformed('continues after its end');
  const [data, file] = PARTS.map((name) => parts.get(name));
  if (!data || !file) throw malformed('must have the parts data and file');
  return { data, file };
}

function nameOf(headers: string): string {
  const [line, ...others] = headers.split(CRLF).filter((one) => /^content-disposition:/i.test(one));
  const [, name] = /^content-disposition:\s*form-data;\s*name="([^"]*)"\s*(?:;|$)/i.exec(line ?? '') ?? [];
  if (name === undefined || others.length > 0) throw malformed('has a part without a name');
  if (/^content-transfer-encoding:/im.test(headers)) throw malformed('must have its parts unencoded');
  return name;
}

const isAt = (bytes: Buffer, at: number, text: string): boolean => bytes.toString('latin1', at, at + text.length) === text;

function expect(bytes: Buffer, at: number, text: string): number {
  if (!isAt(bytes, at, text)) throw malformed('lacks a required delimiter');
  return at + text.length;
}

const malformed = (message: string) => invalidRequest([{ path: 'body', message }]);
