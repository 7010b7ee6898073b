import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { LaneLook } from '../../domain/lanes';
import type { Family, NetworkName } from '../../domain/networks';
import { inSlot, type Slot } from '../../domain/slots';
import { type TransactionTerms, utxoTerms } from '../../domain/transactions';
import type { Database } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { OrderSigner } from '../fleets/order-signer';
import { type EncryptionAccess, encryptingFirst } from './evm/encryption';
import { createNonceCare } from './evm/lane-care';
import { createEvmPreparation } from './evm/preparation';
import { recipientsOfEvm } from './evm/recipients';
import { createEvmReplacement } from './evm/replacement';
import { createEvmSigning } from './evm/signing';
import type { FamilyPreparation, FamilyReplacement, FamilySigning, LaneLooking } from './family-forms';
import { careForDurable } from './solana/lane-care';
import { createSolanaPreparation } from './solana/preparation';
import { advancesAlone, recipientsOfSolana } from './solana/recipients';
import { createSolanaReplacement } from './solana/replacement';
import { createSolanaSigning } from './solana/signing';
import { careForCoins } from './utxo/lane-care';
import { createUtxoPreparation } from './utxo/preparation';
import { assertAsRecorded } from './utxo/raw-preparation';
import { createUtxoReplacement } from './utxo/replacement';
import { createUtxoSigning } from './utxo/signing';

type Asking = Pick<LaneLooking, 'db' | 'readers'>;

/** Every member is required, so the compiler reports a new family that lacks a member. */
export type FamilySteps = {
  readonly prepare: (asking: Asking & { readonly encryptionAccess: EncryptionAccess }) => FamilyPreparation;
  readonly replace: (asking: Asking) => FamilyReplacement;
  readonly sign: (signer: OrderSigner, db: Database) => FamilySigning;
  /** Idempotent. */
  readonly careForLane: (looking: LaneLooking) => Promise<LaneLook>;
  /** Empty if the recipients are unknown. Throws `EnvelopeMismatch` for bytes that differ from the row. */
  readonly recipientsOf: (row: OutgoingEntity, terms: TransactionTerms) => readonly string[];
  /** Whether a raw transaction only uses up its own durable nonce. Null for a family without durable nonces. */
  readonly advancesAlone: ((row: OutgoingEntity) => boolean) | null;
  readonly comesBackWhole: boolean;
  /** Whether a change output can be spent once its transaction is sent. Other requests may be waiting for this coin. */
  readonly changeIsFreeOnceSent: boolean;
};

const FAMILIES: Readonly<Record<Family, Slot<FamilySteps>>> = {
  evm: {
    prepare: ({ db, readers, encryptionAccess }) => createEvmPreparation(db, readers, encryptingFirst(db, encryptionAccess)),
    replace: ({ readers }) => createEvmReplacement(readers),
    sign: createEvmSigning,
    careForLane: (looking) => createNonceCare(looking)(looking),
    recipientsOf: recipientsOfEvm,
    advancesAlone: null,
    comesBackWhole: false,
    changeIsFreeOnceSent: false,
  },
  solana: {
    prepare: ({ db, readers }) => createSolanaPreparation(db, readers),
    replace: ({ readers }) => createSolanaReplacement(readers),
    sign: createSolanaSigning,
    careForLane: async ({ db, readers, gateways, orgId, lane: { network, address }, isFrozen }) =>
      careForDurable({
        ...{ db, orgId, network: inFamily('solana', networkOf(network)), address, isFrozen: await isFrozen() },
        reader: inFamily('solana', readers(network)),
        gateway: gateways(network),
      }),
    recipientsOf: recipientsOfSolana,
    advancesAlone,
    comesBackWhole: false,
    changeIsFreeOnceSent: false,
  },
  utxo: {
    prepare: ({ db, readers }) => createUtxoPreparation(db, readers),
    replace: ({ db, readers }) => createUtxoReplacement(db, readers),
    sign: createUtxoSigning,
    careForLane: async ({ db, readers, gateways, orgId, lane, memory, isFrozen }) =>
      careForCoins({
        ...{ db, orgId, lane, memory },
        reader: inFamily('utxo', readers(lane.network)),
        gateway: gateways(lane.network),
        isFrozen: await isFrozen(),
      }),
    recipientsOf: (row, terms) => [...assertAsRecorded(row, utxoTerms(terms)).recipients],
    advancesAlone: null,
    comesBackWhole: true,
    changeIsFreeOnceSent: true,
  },
};

/** A family's module must never import this function as a value, because this module imports the family modules. */
export const familyStepsOf = (network: NetworkName): FamilySteps => inSlot(FAMILIES[networkOf(network).family]);

/** Makes one instance per family, so that each instance can keep state. */
export function onceForEachFamily<Made>(make: (family: FamilySteps) => Made): (network: NetworkName) => Made {
  const made = new Map<Family, Made>();
  return (network) => {
    const { family } = networkOf(network);
    const known = made.get(family) ?? make(familyStepsOf(network));
    made.set(family, known);
    return known;
  };
}
