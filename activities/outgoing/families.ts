import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { LaneLook } from '../../domain/lanes';
import type { Family, NetworkName } from '../../domain/networks';
import { inSlot, type Slot } from '../../domain/slots';
import { type TransactionTerms, utxoTerms } from '../../domain/transactions';
import type { Database } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { FamilyOp, SignerClient } from '../../signer/protocol';
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
type Signer = Pick<SignerClient, FamilyOp>;

/** What a family does between the approval of a request and its end. Each member is there for each family, so that the compiler asks a new one for all of them. */
export type FamilySteps = {
  readonly prepare: (asking: Asking & { readonly encryptionAccess: EncryptionAccess }) => FamilyPreparation;
  readonly replace: (asking: Asking) => FamilyReplacement;
  readonly sign: (signer: Signer, db: Database) => FamilySigning;
  /** One look at a sender's transactions, which runs again without doing anything twice. */
  readonly careForLane: (looking: LaneLooking) => Promise<LaneLook>;
  /** Who would receive value by a raw transaction; empty where nobody can tell. Throws `EnvelopeMismatch` for bytes that differ from the row. */
  readonly recipientsOf: (row: OutgoingEntity, terms: TransactionTerms) => readonly string[];
  /** Whether bytes do nothing but keep others out, and so move nothing; null where such bytes are a payment of nothing to oneself, which every family has. */
  readonly advancesAlone: ((row: OutgoingEntity) => boolean) | null;
  /** Whether all of what a transaction to oneself names comes back, however much it is. */
  readonly comesBackWhole: boolean;
  /** Whether what a transaction pays back to its sender can be spent once it is sent, so that somebody may be waiting for that. */
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
    prepare: ({ readers }) => createSolanaPreparation(readers),
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
    // The bytes are the record, and several may be paid by one transaction.
    recipientsOf: (row, terms) => [...assertAsRecorded(row, utxoTerms(terms)).recipients],
    advancesAlone: null,
    comesBackWhole: true,
    changeIsFreeOnceSent: true,
  },
};

/** What the family of a network does here. Never imported as a value by the families' own modules, which it names. */
export const familyStepsOf = (network: NetworkName): FamilySteps => inSlot(FAMILIES[networkOf(network).family]);

/** What is made once for each family, such as what keeps its own memory between two requests. */
export function onceForEachFamily<Made>(make: (family: FamilySteps) => Made): (network: NetworkName) => Made {
  const made = new Map<Family, Made>();
  return (network) => {
    const { family } = networkOf(network);
    const known = made.get(family) ?? make(familyStepsOf(network));
    made.set(family, known);
    return known;
  };
}
