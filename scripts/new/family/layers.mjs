// The texts of the files that `family.mjs` writes for a new family in the folders that import chains/.

export const bodiesFile = ({ family }) => `import type { FamilyBodies } from '../family-bodies';

export const ${family}Bodies = {
  transfers: [],
  transactions: [],
  rawTransactions: [],
  signatures: [],
  keySignatures: [],
  signableTransactions: [],
} as const satisfies FamilyBodies;
`;

export const outgoingFile = ({ family, title, cannot }) => `import { absent } from '../../../domain/slots';
import type { OutgoingFamily } from '../families';

const NOT_YET = ${cannot('Sending')};

export type ${title}TransactionRequest = never;

export const ${family}Outgoing: OutgoingFamily = {
  readTransfer: NOT_YET,
  readTransaction: NOT_YET,
  replacement: { isTakenBy: () => false },
  child: null,
  sponsoring: { whyNot: () => NOT_YET.why, assertReady: null },
  freesAtInclusion: false,
};
`;

export const causesFile = ({ family, cannot }) => `import { absent, type Slot } from '../../../domain/slots';
import type { ReadSigned } from '../families';

export const ${family}Signed: Slot<ReadSigned> = ${cannot('Sending')};
`;

export const signaturesFile = ({ family, cannot }) => `import { absent } from '../../../domain/slots';
import type { SigningFamily } from '../families';

export const ${family}Signing: SigningFamily = {
  blockchainKind: null,
  namedNetwork: null,
  prepareTransaction: ${cannot('Signing for others to send')},
  message: ${cannot('Signing messages')},
};
`;

export const feesFile = ({ family, title }) => `import type { FeeEstimates } from '../../../domain/fees';
import { feesOfKind, tiersOf } from '../fee-tiers';

export const ${family}Shown = (fees: FeeEstimates) => {
  const { kind, tiers } = feesOfKind('${title}', fees);
  return { kind, ...tiersOf(tiers, ({ feeUnits }) => ({ feeUnits: feeUnits.toString() })) };
};
`;

export const stepsFile = ({ family, cannot }) => `import { absent, type Slot } from '../../../domain/slots';
import type { FamilySteps } from '../families';

export const ${family}Steps: Slot<FamilySteps> = ${cannot('Sending')};
`;

export const orderFile = ({ title }) => `import { z } from 'zod';
import { Address, hex, Units } from '../../wire/schemas';
import { FamilyOrder } from '../transfer-orders';

/** An order with \`callDigest\`, SHA-256 over the canonical JSON of the call, is for a raw transaction. */
export const Sign${title}Order = FamilyOrder.extend({
  intent: z.strictObject({ from: Address, to: Address, amountUnits: Units, callDigest: hex(32).optional() }),
});
export type Sign${title}Order = z.infer<typeof Sign${title}Order>;
`;

export const judgeFile = ({ family, title, cannot }) => `import { absent, type Slot } from '../../../domain/slots';
import type { Sign${title}Order } from '../../orders/${family}/order';
import type { JudgedOrder } from '../../orders/sign-once';
import { Refusal } from '../../wire/refusal';
import type { IsTransaction } from '../families';

export const is${title}Transaction: Slot<IsTransaction> = ${cannot('Signing messages')};

/** Throws a \`Refusal\` unless the bytes, signed by the named key now, do exactly what was approved. Refuses all bytes so far. */
export function judge${title}(_order: Sign${title}Order, _nowMs: number): JudgedOrder {
  throw new Refusal('PayloadNotSupported');
}
`;

export const reconcileFile = ({ family, cannot }) => `import { absent, type Slot } from '../../../domain/slots';
import type { ReconciledFamily } from '../families';

export const ${family}Reconciled: Slot<ReconciledFamily> = ${cannot('Reconciling')};
`;

export const schemasFile = ({ family, title }) => `import { z } from 'zod';
import type { FamilySchemas } from '../family-schemas';
import { type FeeNetwork, FeeUnits, feeBlock, feeTiers } from '../fee-members';

export const ${family}Schemas = {
  fees: (network: FeeNetwork) =>
    z
      .object({ kind: z.literal('${title}'), network, blockNumber: feeBlock, ...feeTiers(z.object({ feeUnits: FeeUnits })) })
      .meta({ id: 'Fee${title}' }),
  details: {},
  detailsSay: [],
} as const satisfies FamilySchemas;
`;
