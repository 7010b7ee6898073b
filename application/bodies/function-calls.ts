import { z } from 'zod';

const PARAMETERS_MAX = 64;
const Name = z.string().max(128);

/** Compiler-specific members of a type are accepted and ignored. */
const AbiParameter = z
  .strictObject({
    name: Name,
    type: z.string().min(1).max(64),
    internalType: z.string().max(256).optional(),
    get components() {
      return z.array(AbiParameter).max(PARAMETERS_MAX).optional();
    },
  })
  .meta({ id: 'AbiParameter' });

const MEMBERS = {
  contract: z.string().min(1).max(128),
  abi: z.strictObject({
    type: z.literal('function'),
    name: Name,
    stateMutability: z.enum(['pure', 'view', 'nonpayable', 'payable']),
    inputs: z.array(AbiParameter).max(PARAMETERS_MAX),
    outputs: z.array(AbiParameter).max(PARAMETERS_MAX),
  }),
  calldata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The arguments by name, or by position if they have no names; integers as digits, bytes as 0x and hexadecimal digits',
    ),
};

export const CallFunctionBody = z.strictObject(MEMBERS).meta({ id: 'CallFunctionBody' });

/** A call that is sent; `value` is for payable functions only. */
export const FunctionCall = z
  .strictObject({
    ...MEMBERS,
    value: z
      .string()
      .max(78)
      .regex(/^(\d+|0x[0-9a-fA-F]*)$/, 'must be digits, or 0x and hexadecimal digits')
      .optional(),
  })
  .meta({ id: 'FunctionCall' });
