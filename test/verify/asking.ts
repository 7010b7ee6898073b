import { signRequest } from '../../verify/request';
import type { Person } from '../support/api';
import { type Office, refusal } from './office';

/** A client's request: the method, the path and the exact text of the body. */
export type Wish = { readonly method: string; readonly path: string; readonly body: string };

export type Signing = {
  /** The content of the request file that the person supplies. The default is the announced request. */
  readonly told?: unknown;
  /** The challenge to sign. The default is the announced challenge. */
  readonly challenge?: unknown;
  readonly by?: Person;
  readonly typed?: string;
  readonly now?: Date;
  readonly addressBook?: string;
  readonly home?: string;
};

/** A person at the terminal who makes requests and signs them with the program. */
export function createAsking(office: Office) {
  let files = 0;
  const wish = (method: string, path: string, content: unknown = ''): Wish => ({
    ...{ method, path },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  });
  async function announced({ method, path, body }: Wish, by: Person = office.admin) {
    const answer = await by.client.announce(method, path, body);
    if (answer.status !== 200) throw new Error(`init answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as { readonly challenge: string; readonly commitment: Readonly<Record<string, unknown>> };
  }
  /** Announces and signs. Without `typed`, the person types the requested characters correctly. */
  async function signing(asked: Wish, more: Signing = {}) {
    const { told = asked, by = office.admin, typed, now = new Date(), addressBook, home = office.home } = more;
    const challenge = more.challenge ?? (await announced(asked, by));
    files += 1;
    const to = `${office.folder}/asked-${files}.json`;
    const shown: string[] = [];
    const paths = { home, file: office.put(challenge), request: office.put(told), key: office.keyOf(by), to };
    const wanted = (question: string): string => {
      const [, start = ''] = /\("(.*)……"\)/.exec(question) ?? [];
      const whole = shown.join('\n').match(new RegExp(`${start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(.{6})`));
      return whole?.[1] ?? '';
    };
    const terminal = {
      show: (lines: readonly string[]) => void shown.push(...lines),
      ask: async (question: string) => typed ?? wanted(question),
    };
    const lines = await signRequest({ ...paths, addressBook }, terminal, now);
    return { shown: [...shown, ...lines].join('\n'), to };
  }
  return {
    ...{ wish, announced, signing },
    refused: (asked: Wish, more: Signing = {}) => refusal(() => signing(asked, more)),
    /** Sends the signed file and the request, as a client does. */
    async sent({ method, path, body }: Wish, to: string, { client }: Person = office.admin) {
      const exchanged = await client.send({ method: 'POST', path: '/auth/action', text: office.read(to) });
      const { userAction } = exchanged.body as { readonly userAction: string };
      const text = body === '' ? {} : { text: body };
      return client.send({ method, path, ...text, headers: { 'x-svc-useraction': userAction } });
    },
  };
}
