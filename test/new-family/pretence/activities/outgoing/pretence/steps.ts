import { codecOf } from '../../../chains/codecs';
import { decoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import { AppError, invariant } from '../../../domain/errors';
import type { Slot } from '../../../domain/slots';
import { termsOfFamily } from '../../../domain/transactions';
import { openSpending } from '../../../entities/outgoing/open-spending';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';
import type { FamilySteps } from '../families';
import type { BuildUnderLock, FamilyPreparation, FamilyReplacement, FamilySigning } from '../family-forms';

const ownTerms = termsOfFamily('pretence');
const entryIn = ({ network }: OutgoingEntity, bytesHex: string) => inFamily('pretence', decoderOf(network)).entryIn(bytesHex);
const builderOf = ({ network }: OutgoingEntity) => inFamily('pretence', codecOf(network));

const prepare: FamilySteps['prepare'] = ({ readers }): FamilyPreparation => ({
  async quote(asked): Promise<BuildUnderLock> {
    const { network, fromAddress: from } = asked;
    const reader = inFamily('pretence', readers(network));
    const [sequence, { tiers }, held] = await Promise.all([
      reader.nextSequence(from),
      reader.feeEstimates().then((fees) => (fees.kind === 'Pretence' ? fees : Promise.reject(new Error(fees.kind)))),
      reader.nativeBalance(from),
    ]);
    return async (tx, row) => {
      const { open, ahead } = await openSpending(tx, row, from);
      if (open + ahead > 0) return { kind: 'Waits', detail: 'Turn', queued: true };
      const approved = row.terms === null ? undefined : entryIn(row, ownTerms(row.terms).call.bytesHex);
      const plain = { from, to: row.toAddress, amountUnits: BigInt(row.amountUnits), sequence };
      const entry = approved ?? { ...plain, feeUnits: tiers[row.priority].feeUnits };
      const unsigned = builderOf(row).build(entry);
      if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };
      if (entry.sequence !== sequence) throw new AppError('TransferWouldFail', `The next sequence is ${sequence}`);
      if (entry.amountUnits + entry.feeUnits > held) throw new AppError('TransferWouldFail', 'Insufficient funds');
      const claim = { kind: 'nonce', key: `${from}:${sequence}`, lane: from, value: sequence } as const;
      return { kind: 'Built', unsigned, nonce: sequence, claims: [claim], context: null };
    };
  },
});

const none = async () => {
  throw new AppError('TransferWouldFail', 'An entry cannot be replaced');
};
const replace = (): FamilyReplacement => ({ quote: none, quoteAgainst: none });

const sign: FamilySteps['sign'] = (signer): FamilySigning => ({
  async sign(row, { unsignedHex }, order) {
    const { fromAddress: from, toAddress: to, amountUnits, terms } = row;
    const intent = { from, to, amountUnits, ...(terms === null ? {} : { callDigest: digestOf(terms.call) }) };
    const [signature] = (await signer.signPretence({ ...order, intent })).signatures;
    invariant(signature, 'the signer answers a signature');
    return builderOf(row).attach(unsignedHex, `${signature.r}${signature.s.slice(2)}`.slice(2));
  },
});

export const pretenceSteps: Slot<FamilySteps> = {
  prepare,
  replace,
  sign,
  // A sender has only one entry in flight at a time, so no entry blocks another entry.
  careForLane: async () => ({ kind: 'Healthy' }),
  recipientsOf(row, terms) {
    const entry = entryIn(row, ownTerms(terms).call.bytesHex);
    if (entry?.to === row.toAddress && entry.amountUnits === BigInt(row.amountUnits)) return [entry.to];
    throw new AppError('EnvelopeMismatch', 'The bytes of the entry differ from the recorded recipient and amount');
  },
  advancesAlone: null,
  comesBackWhole: false,
  changeIsFreeOnceSent: false,
};
