import { TRANSFER_ENDS } from '../../domain/transfers';
import type { Stage } from '../rig';
import { type Fault, type Finding, none } from './fault';
import type { Order, Scene } from './fixture';
import { last, until } from './polling';
import { provenOnce } from './proof';

const LIES_FOR_MS = 8_000;
const ENDS: ReadonlySet<string> = new Set(TRANSFER_ENDS);

type Control = readonly [method: string, lie: unknown, truth: unknown];
const DROPS: Control = ['strongroom_dropTransactions', true, false];
const refuses = (words: string): Control => ['strongroom_refuseTransactions', words, null];
const tells = (receipts: string): Control => ['strongroom_lieInReceipts', receipts, null];

const tell = async (stage: Stage, controls: readonly Control[], lying: boolean): Promise<void> => {
  for (const [method, lie, truth] of controls) await stage.rpc(method, [lying ? lie : truth]);
};

const endedOnALie = async (scene: Scene, orders: readonly Order[]): Promise<Finding> => {
  const rows = (await scene.rows(orders)).filter(({ state }) => ENDS.has(state));
  return none(
    'nothing ends while the node lies',
    rows.map(({ id, state }) => `${id} is ${state}`),
  );
};

/** The node begins to lie before the callers send their orders, and stops some seconds after the signer has signed. */
const whileSending = (name: string, done: string, controls: readonly Control[]): Fault => ({
  name,
  done,
  run: async (scene) => {
    const orders = await scene.orders(2);
    await tell(scene.stage, controls, true);
    let early: Finding;
    try {
      const begun = Promise.all(orders.map((order) => scene.ask(order)));
      await until('both are signed', async () => ((await signed(scene, orders)) === orders.length ? true : undefined));
      await last(LIES_FOR_MS);
      early = await endedOnALie(scene, orders);
      await begun;
    } finally {
      await tell(scene.stage, controls, false);
    }
    return [early, ...(await provenOnce(scene, orders))];
  },
});

/**
 * The node begins to lie when the service has seen the transactions in a block. The chain then mines five more blocks, and the
 * node stops lying some seconds later.
 */
const whileConfirming = (name: string, done: string, controls: readonly Control[]): Fault => ({
  name,
  done,
  run: async (scene) => {
    const { stage } = scene;
    const orders = await scene.orders(2);
    await stage.rpc('strongroom_setMining', [false]);
    let early: Finding;
    try {
      await Promise.all(orders.map((order) => scene.ask(order)));
      await stage.rpc('evm_mine');
      await until('both are seen in a block', async () => ((await inState(scene, orders, 'Included')) === 2 ? true : undefined));
      await tell(stage, controls, true);
      for (let block = 0; block < 5; block += 1) await stage.rpc('evm_mine');
      await last(LIES_FOR_MS);
      early = await endedOnALie(scene, orders);
    } finally {
      await tell(stage, controls, false);
      await stage.rpc('strongroom_setMining', [true]);
    }
    return [early, ...(await provenOnce(scene, orders))];
  },
});

async function inState({ stage }: Scene, orders: readonly Order[], ...states: readonly string[]): Promise<number> {
  const sql = `SELECT 1 FROM payloads p JOIN transfers t ON t.id = p.transfer_id
               WHERE t.external_id = ANY($1) AND p.state = ANY($2)`;
  return (await stage.sql(sql, [orders.map(({ externalId }) => externalId), states])).length;
}
const signed = (scene: Scene, orders: readonly Order[]) => inState(scene, orders, 'Signed', 'Broadcasted', 'Included', 'Final');

/**
 * Each lie ends before the service would believe the lie. A later, true reply can then show that the earlier reply was a lie.
 */
export const nodeLies: readonly Fault[] = [
  whileSending('node drops', 'the node accepts transactions and forgets them', [DROPS]),
  whileSending('node: already known', 'the node reports "already known" for a transaction that it never saw', [
    refuses('already known'),
  ]),
  whileSending('node: nonce too low', 'the node says "nonce too low" although nothing is mined', [refuses('nonce too low')]),
  whileSending('node: invented receipt', 'the node forgets transactions and shows receipts of old blocks for them', [
    DROPS,
    tells('Invented'),
  ]),
  whileConfirming('receipt: reverted', 'the receipt says that the transaction failed', [tells('OtherStatus')]),
  whileConfirming('receipt: other block', 'the receipt names a block that does not exist', [tells('OtherBlock')]),
  whileConfirming('receipt: other transaction', 'the receipt belongs to another transaction', [tells('OtherTransaction')]),
  whileConfirming('receipt: missing', 'the receipt disappears while the block remains', [tells('Missing')]),
];
