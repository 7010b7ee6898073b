/** The response to a request for CSV. `lines` have no token, because the token contains the moment at which the export began. */
export type Exported = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly lines: readonly string[];
};

const TOKEN = /,[\w-]+$/;
export const withoutToken = (line: string): string => (line.startsWith('#') ? line : line.replace(TOKEN, ''));
export const tokenOf = (line: string): string => line.slice(line.lastIndexOf(',') + 1);

export async function exported(url: string, token: string): Promise<Exported> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/csv' } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, lines: text.trimEnd().split('\n').map(withoutToken) };
}

/** Reads at least this many characters and closes the connection. Returns the whole lines, each with its token. */
export async function cutOff(url: string, token: string, charsMin: number): Promise<readonly string[]> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/csv' }, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let more = true; more && text.length < charsMin; ) {
    const part = await reader?.read();
    text += part?.value ?? '';
    more = part?.done === false;
  }
  abort.abort();
  return text.split('\n').slice(0, -1);
}
