import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createWalletClient, formatEther, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { TRANSFER_ENDS } from '../domain/transfers';
import { ApiError, type Client, createClient } from './client';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';

const NETWORK = 'EthereumSepolia';
const TRANSFER_ETHER = '0.25';
const FUNDS_ETHER = '1';
const WAIT_MS = 120_000;
const ENDED: ReadonlySet<string> = new Set(TRANSFER_ENDS);
const POLL_MS = 250;

/** The message explains the error. The demo prints any other error with its stack. */
class DemoError extends Error {}

const User = z.object({ name: z.string(), userId: z.string(), token: z.string(), credId: z.string(), privateKeyPem: z.string() });
const Chain = z.object({ rpcUrl: z.string(), faucetPrivateKey: z.templateLiteral(['0x', z.string()]) });
const FirstRun = z.object({
  baseUrl: z.string(),
  temporalUiUrl: z.string(),
  users: z.array(User),
  /** The other chains have different kinds of faucets. */
  chains: z.object({ [NETWORK]: Chain.optional() }),
});
const Wallet = z.object({ id: z.string(), address: z.templateLiteral(['0x', z.string()]) });
const Created = z.object({ id: z.string() });
const Hook = z.object({ id: z.string(), secret: z.string() });
const Transfer = z.object({
  id: z.string(),
  status: z.string(),
  approvalId: z.string().optional(),
  txHash: z.string().optional(),
  fee: z.string().optional(),
  reason: z.string().optional(),
});
const Approval = z.object({ status: z.string() });
const Assets = z.object({ assets: z.array(z.object({ kind: z.string(), balance: z.string(), symbol: z.string().optional() })) });

let steps = 0;
const say = (text: string) => console.log(text);
const step = (title: string) => {
  steps += 1;
  say(`\n${steps}. ${title}`);
};

async function until<T>(what: string, ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const value = await ask();
    if (done(value)) return value;
    if (performance.now() > deadline) throw new DemoError(`Timed out after ${WAIT_MS / 1000} s while waiting until ${what}.`);
    await delay(POLL_MS);
  }
}

function readFirstRun(file: string): z.output<typeof FirstRun> {
  if (!existsSync(file))
    throw new DemoError(`${file} does not exist: start the service with \`npm start\` in another shell first.`);
  const { data, error } = FirstRun.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (error) throw new DemoError(`${file} does not describe a local trial of this release:\n${z.prettifyError(error)}`);
  return data;
}

async function assertReady(baseUrl: string): Promise<void> {
  const ready = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
  if (!ready) throw new DemoError(`Nothing answers at ${baseUrl}: start the service with \`npm start\` in another shell first.`);
  if (!ready.ok) throw new DemoError(`The service at ${baseUrl} is not ready: ${await ready.text()}`);
}

async function showBalance(client: Client, title: string, walletId: string): Promise<bigint> {
  const { assets } = await client.get(`/wallets/${walletId}/assets`, Assets);
  const units = BigInt(assets.find(({ kind }) => kind === 'Native')?.balance ?? '0');
  say(`   ${title}: ${formatEther(units)} ETH`);
  return units;
}

async function fund(chain: z.output<typeof Chain>, address: `0x${string}`): Promise<void> {
  const faucet = createWalletClient({ account: privateKeyToAccount(chain.faucetPrivateKey), transport: http(chain.rpcUrl) });
  const hash = await faucet.sendTransaction({ chain: null, to: address, value: parseEther(FUNDS_ETHER) });
  say(`   the faucet sends ${FUNDS_ETHER} ETH: ${hash}`);
}

async function run(file: string): Promise<void> {
  const firstRun = readFirstRun(file);
  await assertReady(firstRun.baseUrl);
  const userOf = (name: string) => {
    const user = firstRun.users.find((one) => one.name === name);
    if (!user) throw new DemoError(`${file} has no user "${name}".`);
    return user;
  };
  const chain = firstRun.chains[NETWORK];
  if (!chain) throw new DemoError(`${file} has no chain "${NETWORK}".`);
  const approverUser = userOf('approver');
  const admin = createClient(firstRun.baseUrl, userOf('admin'));
  const approver = createClient(firstRun.baseUrl, approverUser);
  const receiver = await startWebhookReceiver();
  const undo: (() => Promise<unknown>)[] = [];
  try {
    await story({ admin, approver, approverId: approverUser.userId, chain, receiver, undo, uiUrl: firstRun.temporalUiUrl });
  } finally {
    // A webhook that stays counts towards the limit of five webhooks. A policy that stays holds later transfers.
    for (const back of undo.reverse()) await back().catch((error: unknown) => say(`   not undone: ${String(error)}`));
    await receiver.close();
  }
}

type Cast = {
  readonly admin: Client;
  readonly approver: Client;
  readonly approverId: string;
  readonly chain: z.output<typeof Chain>;
  readonly receiver: WebhookReceiver;
  /** The demo runs these functions at its end, the last function first. */
  readonly undo: (() => Promise<unknown>)[];
  readonly uiUrl: string;
};

async function story({ admin, approver, approverId, chain, receiver, undo, uiUrl }: Cast): Promise<void> {
  const tag = `demo:${randomUUID().slice(0, 8)}`;

  step('admin subscribes a webhook');
  const hook = await admin.change('POST', '/webhooks', { url: receiver.url, events: ['*'], description: 'npm run demo' }, Hook);
  undo.push(() => admin.change('DELETE', `/webhooks/${hook.id}`, {}, z.unknown()));
  receiver.trust(hook.secret);
  say(`   ${hook.id} → ${receiver.url}`);

  step(`admin creates a wallet on ${NETWORK}, tagged ${tag}`);
  const from = await admin.change('POST', '/wallets', { network: NETWORK, name: 'Demo', tags: [tag] }, Wallet);
  const to = await admin.change('POST', '/wallets', { network: NETWORK, name: 'Demo recipient' }, Wallet);
  say(`   ${from.id}  ${from.address}\n   ${to.id}  ${to.address} (the recipient)`);

  step('the wallet is funded on the local chain');
  await fund(chain, from.address);
  await until(
    'the funds arrive',
    () => showBalance(admin, 'balance', from.id),
    (units) => units > 0n,
  );

  step('admin writes a policy: a transfer out of a wallet with this tag needs the approver');
  const policy = {
    name: `Demo ${tag}`,
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger' },
    filters: { walletTags: { hasAny: [tag] } },
    action: {
      kind: 'RequestApproval',
      approvalGroups: [{ name: 'Finance', quorum: 1, approvers: { userId: { in: [approverId] } } }],
      autoRejectTimeout: 60,
    },
  };
  const { id: policyId } = await admin.change('POST', '/v2/policies', policy, Created);
  undo.push(() => admin.change('DELETE', `/v2/policies/${policyId}`, {}, z.unknown()));
  say(`   ${policyId}`);

  step(`admin asks for a transfer of ${TRANSFER_ETHER} ETH`);
  const order = {
    kind: 'Native',
    to: to.address,
    amount: parseEther(TRANSFER_ETHER).toString(),
    externalId: `demo-${randomUUID()}`,
  };
  const requested = await admin.change('POST', `/wallets/${from.id}/transfers`, order, Transfer);
  say(`   ${requested.id} is ${requested.status}, held by ${requested.approvalId ?? 'no approval'}`);
  if (requested.status !== 'Pending' || !requested.approvalId) {
    throw new DemoError(`The policy did not hold the transfer${requested.reason === undefined ? '' : `: ${requested.reason}`}.`);
  }
  say(`   the workflow that waits: ${uiUrl}/namespaces/default/workflows/${requested.id}`);

  step('approver approves');
  const decision = { value: 'Approved', reason: 'npm run demo' };
  const approval = await approver.change('POST', `/v2/policy-approvals/${requested.approvalId}/decisions`, decision, Approval);
  say(`   the approval is ${approval.status}`);

  step('it is signed, sent and confirmed');
  let last = requested.status;
  const read = async () => {
    const now = await admin.get(`/wallets/${from.id}/transfers/${requested.id}`, Transfer);
    if (now.status !== last) say(`   ${last} → ${now.status}`);
    last = now.status;
    return now;
  };
  const ended = await until('the transfer ends', read, ({ status }) => ENDED.has(status));
  if (ended.status !== 'Confirmed') throw new DemoError(`The transfer is ${ended.status}: ${ended.reason ?? 'no reason given'}.`);
  say(`   transaction ${ended.txHash ?? '?'}, fee ${formatEther(BigInt(ended.fee ?? '0'))} ETH`);
  await showBalance(admin, 'sender', from.id);
  const arrived = await showBalance(admin, 'recipient', to.id);
  if (arrived !== parseEther(TRANSFER_ETHER)) throw new DemoError('The recipient did not receive the amount.');

  step('the webhook received the events');
  const kinds = () => receiver.received.map(({ kind }) => kind);
  await until(
    'the confirmation is delivered',
    async () => kinds(),
    (list) => list.includes('wallet.transfer.confirmed'),
  );
  for (const { kind, signed } of receiver.received) say(`   ${signed ? 'signature right' : 'SIGNATURE WRONG'}  ${kind}`);
  if (receiver.received.some(({ signed }) => !signed)) throw new DemoError('A delivery had a wrong signature.');
  say('\nDone: held by policy, approved by a second person, signed in the signer, confirmed by the chain.');
}

run(process.argv[2] ?? '.data/first-run.json').catch((error: unknown) => {
  if (error instanceof DemoError) console.error(`\n${error.message}`);
  else if (error instanceof ApiError)
    console.error(`\nThe service refused: ${error.status} ${error.code}: ${error.message}`, error.details ?? '');
  else console.error(error);
  process.exitCode = 1;
});
