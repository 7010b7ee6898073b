/** A Ponder project that follows https://ponder.sh/docs, and writes one row for each `Transfer` event of one contract. */
export const PONDER_FILES = {
  'ponder.config.ts': `import { createConfig } from 'ponder';
import settings from './settings.json';

const address = { indexed: true, type: 'address' } as const;
const abi = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [{ ...address, name: 'from' }, { ...address, name: 'to' }, { indexed: false, name: 'value', type: 'uint256' }],
  },
] as const;
const { databaseUrl, rpcUrl, chainId, token, recipients } = settings;

export default createConfig({
  database: { kind: 'postgres', connectionString: databaseUrl },
  chains: { local: { id: chainId, rpc: rpcUrl, pollingInterval: 250 } },
  contracts: {
    Token: {
      abi,
      chain: 'local',
      address: token,
      startBlock: 1,
      ...(recipients.length > 0 ? { filter: { event: 'Transfer', args: { to: recipients } } } : {}),
    },
  },
});
`,
  'ponder.schema.ts': `import { index, onchainTable } from 'ponder';

export const movement = onchainTable(
  'movement',
  (t) => ({
    id: t.text().primaryKey(),
    from: t.hex().notNull(),
    to: t.hex().notNull(),
    value: t.bigint().notNull(),
    block: t.bigint().notNull(),
    time: t.bigint().notNull(),
    hash: t.hex().notNull(),
  }),
  (table) => ({ byRecipient: index().on(table.to, table.block) }),
);
`,
  'src/index.ts': `import { ponder } from 'ponder:registry';
import { movement } from 'ponder:schema';

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(movement).values({
    id: event.id,
    ...event.args,
    block: event.block.number,
    time: event.block.timestamp,
    hash: event.transaction.hash,
  });
});
`,
  'src/api/index.ts': `import { Hono } from 'hono';

export default new Hono();
`,
} as const;
