import { evmCodecOf } from '../../../../chains/codecs';
import type { NetworkName } from '../../../../domain/networks';
import type { EvmCall } from '../../../../domain/transactions';
import type { SigningPayload } from '../../../../signer/judging/signing-payload';
import { actionOf, type Chartered, HELD_WALLET_ID, openChartered } from '../../charters/chartered';
import { FEES, payloadOrderFor, refusedAs, TO } from '../../fixtures';

const SEPOLIA = 'EthereumSepolia';
const CALL: EvmCall = { type: 2, to: TO, valueUnits: '5', dataHex: '0x', accessList: [], authorizationList: [] };

let office: Chartered;
let count = 0;
beforeAll(async () => {
  office = await openChartered();
  await office.adopt();
});
afterAll(() => office.close());

type Asked = { readonly payload: SigningPayload; readonly body: object };
const message = (): Asked => ({ payload: { kind: 'Message', messageHex: '0x61' }, body: { kind: 'Message', message: '0x61' } });
/** A transaction whose nonce and fees the request leaves open. */
function transaction(): Asked {
  const { bytesHex } = evmCodecOf(SEPOLIA).buildCall(CALL, 700 + count, FEES);
  return { payload: { kind: 'EvmTransaction', bytesHex }, body: { kind: 'Transaction', transaction: { to: TO, value: '5' } } };
}
const open = (call: EvmCall = CALL, network: NetworkName = SEPOLIA) => ({ kind: 'OpenEvmTransaction', network, terms: { call } });

/** Requests a signature with the held wallet. Two officers have approved this envelope. */
function signing({ payload, body }: Asked, envelope: object) {
  const { people, keys, approved, transfer, signer } = office;
  count += 1;
  const order = payloadOrderFor(keys.held, `sig-${count}`, payload);
  const said = { path: `/wallets/${HELD_WALLET_ID}/signatures`, body: JSON.stringify(body) };
  const { approval, votes } = approved(transfer(people.ada), [people.ben, people.cyd], {
    activityId: order.requestId,
    envelope: { keyId: order.keyId, ...envelope },
  });
  return signer.signPayload({ ...order, evidence: [actionOf('Initiator', people.ada, said), approval, ...votes] });
}

test('a payload is signed if people approved it, or approved only its call because the request left the rest open', async () => {
  await expect(signing(message(), { payload: message().payload })).resolves.toBeDefined();
  await expect(signing(transaction(), { payload: open() })).resolves.toBeDefined();
});

test.each<[string, () => Asked, () => object]>([
  ['no payload', message, () => ({})],
  ['the payload for another key', message, () => ({ keyId: 'key-free', payload: message().payload })],
  ['a different payload', message, () => ({ payload: { kind: 'Message', messageHex: '0x62' } })],
  ['the call for another key', transaction, () => ({ keyId: 'key-free', payload: open() })],
  ['the call on a different network', transaction, () => ({ payload: open(CALL, 'EthereumHolesky') })],
  ['a different call', transaction, () => ({ payload: open({ ...CALL, valueUnits: '4' }) })],
  ['a transaction in place of a message', message, () => ({ payload: open() })],
])('nothing is signed if people approved %s', async (_what, asked, envelope) => {
  await expect(signing(asked(), envelope())).rejects.toEqual(refusedAs('ApprovalMismatch'));
});
