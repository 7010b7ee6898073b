import { decoderOf } from '../../chains/decoders';
import { IS_CEREMONY, thresholdOf } from '../../domain/fleets';
import { assertSignOutput } from '../../platform/fleets/assert-sign-output';
import type { FleetInput, FleetKey } from '../../platform/fleets/inputs';
import { fleetInput } from './fleet-outputs';
import { createFleetService } from './offline-fleet';
import { withProofs } from './proof-inputs';
import { messagesIn, waitingPayments } from './waiting-payments';

type Body = Readonly<Record<string, string & number & string[]>>;
type Files = Readonly<Record<string, string>>;
type Task = FleetInput['task'];

const PROVEN_ON = 'EthereumSepolia';
/** The place that the inputs of `fleetInput` state. */
const PLACE = { signerId: 'signer-test', orgId: 'or-test', storeId: 'ks-test' } as const;

/** Plays the requests of the page against the part of the service that a fleet sees. */
export function createCeremonyService() {
  const service = createFleetService(new Map());
  const signed: Record<string, number> = {};
  const dateIssued = new Date().toISOString();
  let asked = 0;
  const groupId = () => `fg-page-${asked}`;
  let open: FleetInput | undefined;
  const keyAt = (at: number): FleetKey => {
    const key = service.keys[at];
    if (!key) throw new Error('the store has no such key');
    const { curve, index, publicKey } = key;
    return { curve, index, publicKey };
  };
  /** The page leaves the IDs of the wallets open. */
  const proofOf = (_walletId: string, at: number) => {
    const key = keyAt(at);
    const address = decoderOf(PROVEN_ON).addressOf(key.publicKey);
    return {
      operationId: `op-${asked}-${at}`,
      walletId: `wa-${at}`,
      network: PROVEN_ON,
      address,
      key,
    };
  };
  const tasks: Readonly<Record<string, (body: Body, operationId: string) => Task>> = {
    genesis: ({ numProvisioners = 0, hsmGenesisSerial, ...body }, operationId) => ({
      ...{ kind: 'Genesis', operationId, deviceSerial: `${hsmGenesisSerial}`, provisioners: numProvisioners },
      threshold: thresholdOf(numProvisioners),
      keys: { secp256k1: Number(body['numSecp256k1']), ed25519: Number(body['numEd25519']) },
    }),
    clone: ({ hsmSourceSerial, hsmTargetSerial }, operationId) => ({
      ...{ kind: 'Clone', operationId, deviceSerial: `${hsmSourceSerial}`, targetSerial: `${hsmTargetSerial}` },
      challenge: [keyAt(1), keyAt(60)],
    }),
    'key-harvest': ({ hsmTargetSerial, macTargetSerial, macTargetUsername, ...body }, operationId) => ({
      ...{ kind: 'KeyHarvest', operationId, deviceSerial: `${hsmTargetSerial}`, operatorSerial: `${macTargetSerial}` },
      operatorName: `${macTargetUsername}`,
      keys: { secp256k1: Number(body['numSecp256k1']), ed25519: Number(body['numEd25519']) },
    }),
    'add-provisioner': ({ hsmTargetSerial, macTargetSerial }, operationId) => ({
      ...{ kind: 'AddProvisioner', operationId, deviceSerial: `${hsmTargetSerial}`, provisionerSerial: `${macTargetSerial}` },
    }),
    'add-mac-user': ({ hsmTargetSerial, macTargetSerial }, operationId) => ({
      ...{ kind: 'AddMacUser', operationId, deviceSerial: `${hsmTargetSerial}`, operatorSerial: `${macTargetSerial}` },
    }),
    'onchain-sign': () => ({
      kind: 'OnchainSign',
      requests: waitingPayments(keyAt, { ...PLACE, groupId: groupId() }, service.signer),
    }),
    'proof-of-control': ({ walletIds = [] }) => {
      const place = { ...PLACE, groupId: groupId(), dateIssued };
      return withProofs(fleetInput({ kind: 'ProofOfControl', requests: [] }, null, place), walletIds.map(proofOf)).task;
    },
  };
  const opened = (): FleetInput => {
    if (!open) throw new Error('no group is open');
    return open;
  };
  return {
    signer: service.signer,
    head: () => service.head,
    /** The text of the input for the named operation. */
    input(name: string, body: unknown): string {
      if (open) throw new Error('a group is open');
      const task = tasks[name];
      if (!task) throw new Error(`the page asks for ${name}`);
      asked += 1;
      open = service.input(task(body as Body, `op-${asked}`), { groupId: groupId(), dateIssued });
      return service.sign(open);
    },
    /** Throws `FleetFault` for an output that the service refuses. */
    async output(files: Files): Promise<void> {
      const input = opened();
      if (IS_CEREMONY[input.task.kind]) {
        await service.verify(input, files);
        return;
      }
      const { 'output.json': json = '', 'output-file.json': file = '' } = files;
      const received = { input, outputJson: JSON.parse(json), file, head: service.head };
      const { status, operations } = await assertSignOutput({ ...received, messagesOf: messagesIn(input, service.signer) });
      if (status !== 'success') throw new Error(`the output says ${json}`);
      signed[input.task.kind] = operations.length;
      open = undefined;
    },
    async review(files: Files): Promise<void> {
      await service.approve(opened(), files);
      open = undefined;
    },
    cancel(): void {
      opened();
      open = undefined;
    },
    /** The number of operations in the accepted outputs of groups that use keys. */
    signed,
    isIdle: () => open === undefined,
  };
}
export type CeremonyService = ReturnType<typeof createCeremonyService>;
