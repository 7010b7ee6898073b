import { fork } from 'node:child_process';
import { join } from 'node:path';

type Claims = Readonly<Record<string, unknown>>;
export type Forgery = {
  /** Claims that replace the true claims. The token omits a claim of null. */
  readonly claims?: Claims;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly hmacSecret?: string;
};

export const CLIENT = { clientId: 'strongroom', clientSecret: 'a client secret that is hard to guess' } as const;
export const POST_CLIENT = { clientId: 'strongroom-post', clientSecret: 'another client secret' } as const;
export const PUBLIC_CLIENT = { clientId: 'strongroom-public' } as const;
export const REDIRECT_URI = 'http://localhost:3000/sso';

export type TestIdentityProvider = {
  readonly issuer: string;
  /** Sets all accounts of the provider: claims by subject. */
  readonly setAccounts: (accounts: Readonly<Record<string, Claims>>) => Promise<void>;
  /** Falsifies all further id tokens. With undefined, the id tokens are true again. */
  readonly lie: (forgery: Forgery | undefined) => Promise<void>;
  readonly rotateKeys: () => Promise<void>;
  /** Makes an id token as an app gets it. The provider's own key signs unless the header demands another key. */
  readonly mint: (forgery: Forgery) => Promise<string>;
  /** Follows the address as a browser does, until the provider redirects back. Returns the code and the state. */
  readonly signIn: (address: string, account: string) => Promise<{ readonly code: string; readonly state: string }>;
  readonly close: () => Promise<void>;
};

type Message = { readonly id?: number; readonly issuer?: string; readonly answer?: unknown; readonly error?: string };

/** Starts the package oidc-provider in its own process, on a free port of loopback. */
export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const child = fork(join(__dirname, 'oidc-provider-process.mjs'), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--no-warnings'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const waiting = new Map<number, (message: Message) => void>();
  let orders = 0;
  const issuer = await new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error('the identity provider ended at its start')));
    child.on('message', (message: Message) => {
      if (message.issuer !== undefined) resolve(message.issuer);
      waiting.get(message.id ?? 0)?.(message);
    });
  });
  const order = (name: string, value?: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++orders;
      waiting.set(id, ({ answer, error }) => (error === undefined ? resolve(answer) : reject(new Error(error))));
      child.send({ id, order: name, value: value ?? null });
    });

  return {
    issuer,
    setAccounts: async (accounts) => void (await order('accounts', accounts)),
    lie: async (forgery) => void (await order('lie', forgery)),
    rotateKeys: async () => void (await order('rotate')),
    mint: async (forgery) => String(await order('mint', forgery)),
    signIn: (address, account) => follow(address, account, issuer),
    close: async () => {
      child.disconnect();
      await exited;
    },
  };
}

const HOPS_MAX = 6;

async function follow(address: string, account: string, issuer: string) {
  const cookies = new Map<string, string>();
  let next = new URL(address);
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie, 'x-account': account } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider returned ${response.status}: ${await response.text()}`);
    next = new URL(location, issuer);
    if (next.origin !== issuer) return brought(next);
  }
  throw new Error('the provider never sends the browser back');
}

function brought({ searchParams }: URL) {
  const [code, state] = [searchParams.get('code'), searchParams.get('state')];
  if (code === null || state === null) throw new Error(`the provider refused the sign-in: ${searchParams}`);
  return { code, state };
}
