import { decoderOf } from '../../../chains/decoders';
import type { FleetCurve } from '../../../domain/fleets';
import type { NetworkName } from '../../../domain/networks';
import { prove } from '../../../offline-signer/ceremonies/prove';
import type { Files } from '../../../offline-signer/session';
import { canonical } from '../../../platform/canonical';
import { SignedInput } from '../../../platform/fleets/inputs';
import { SignOutputJson } from '../../../platform/fleets/outputs';
import { refusedAs } from '../../signer/fixtures';
import { inputFor, momentAt } from '../../signer/orders/fleets/fleeting';
import { type AskedProof, withProofs } from '../../support/proof-inputs';
import { openSignerAndDevice, type Rig } from './real-signer';

let rig: Rig;
beforeAll(async () => {
  rig = await openSignerAndDevice();
  await rig.assign(rig.keyAt('secp256k1', 0), 'key-evm');
  await rig.assign(rig.keyAt('secp256k1', 1), 'key-coins');
  await rig.assign(rig.keyAt('ed25519', 0), 'key-solana');
});
afterAll(() => rig.close());

function asked(network: NetworkName, curve: FleetCurve, index: number): AskedProof {
  const key = rig.keyAt(curve, index);
  const address = decoderOf(network).addressOf(key.publicKey);
  return { operationId: `${rig.newGroup()}-${network}`, walletId: `wa-${network}`, network, address, key };
}
const inputOf = (...requests: AskedProof[]) =>
  withProofs(inputFor(rig.signer, { kind: 'ProofOfControl', requests: [] }, rig.head), requests);
const proven = (archive: string): Promise<Files> =>
  prove(
    rig.device.session(() => new Date(rig.clock.nowMs)),
    { input: archive },
  );
const recording = (archive: string, files: Files) => {
  const { input } = SignedInput.parse(JSON.parse(archive));
  return rig.signer.recordProofs({
    ...{ requestId: input.groupId, orgId: input.orgId, input: archive },
    ...{ outputJson: files['output.json'] ?? '', file: files['output-file.json'] ?? '', ...momentAt(rig.clock.nowMs) },
  });
};

test('the signer records what the device proves for wallets of three families', async () => {
  const places = [
    asked('EthereumSepolia', 'secp256k1', 0),
    asked('BitcoinTestnet3', 'secp256k1', 1),
    asked('SolanaDevnet', 'ed25519', 0),
  ];
  const archive = await rig.archive(inputOf(...places));
  const files = await proven(archive);
  expect(SignOutputJson.parse(JSON.parse(files['output.json'] ?? '')).status).toBe('success');
  await expect(recording(archive, files)).resolves.toEqual({});
});

test('the signer seals no other words, and the device takes no other input under a seal', async () => {
  const input = inputOf({ ...asked('EthereumSepolia', 'secp256k1', 0), message: 'We owe you the moon.' });
  await expect(rig.archive(input)).rejects.toEqual(refusedAs('FleetInputMismatch'));
  const sealed = await rig.archive(inputOf(asked('EthereumSepolia', 'secp256k1', 0)));
  const { signed } = SignedInput.parse(JSON.parse(sealed));
  await expect(proven(canonical({ input, signed } as never))).rejects.toThrow('The signature of the input is not valid.');
});
