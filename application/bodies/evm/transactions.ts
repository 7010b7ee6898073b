import { z } from 'zod';
import { FunctionCall } from '../function-calls';
import { TransactionExternalId } from '../transaction-members';
import { EVM_MEMBERS, EVM_PRICES, UserOperations } from './transaction-members';

export const EVM_TRANSACTIONS = [
  z
    .strictObject({ kind: z.literal('Eip1559'), ...EVM_MEMBERS, ...EVM_PRICES, externalId: TransactionExternalId })
    .meta({ id: 'BroadcastEip1559' }),
  z.strictObject({ kind: z.literal('Evm'), ...EVM_MEMBERS, externalId: TransactionExternalId }).meta({ id: 'BroadcastEvm' }),
  z
    .strictObject({ kind: z.literal('FunctionCall'), call: FunctionCall, externalId: TransactionExternalId })
    .meta({ id: 'BroadcastFunctionCall' }),
  z
    .strictObject({
      kind: z.literal('UserOperations'),
      userOperations: UserOperations,
      feeSponsorId: z.string().min(1).max(50).describe('The fee sponsor that sends the calls and pays the fee'),
      externalId: TransactionExternalId,
    })
    .meta({ id: 'BroadcastUserOperations' }),
] as const;
