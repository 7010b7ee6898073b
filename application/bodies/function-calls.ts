import { z } from 'zod';

const PARAMETERS_MAX = 64;
const Name = z.string().max(128);

const ABOUT_TYPE = 'A Solidity type in full: uint256, address[], tuple; integers have 8 to 256 bits in steps of 8';

/** `internalType` is accepted and ignored, because the Solidity compiler adds this member. */
const AbiParameter = z
  .strictObject({
    name: Name,
    type: z.string().min(1).max(64).describe(ABOUT_TYPE),
    internalType: z.string().max(256).optional().describe('Ignored'),
    get components() {
      return z.array(AbiParameter).max(PARAMETERS_MAX).optional().describe('The members of a tuple; not allowed for other types');
    },
  })
  .meta({ id: 'AbiParameter' });

const AbiFunction = z
  .strictObject({
    type: z.literal('function'),
    name: Name,
    stateMutability: z.enum(['pure', 'view', 'nonpayable', 'payable']),
    inputs: z.array(AbiParameter).max(PARAMETERS_MAX),
    outputs: z.array(AbiParameter).max(PARAMETERS_MAX),
  })
  .meta({ id: 'AbiFunction' });

const MEMBERS = {
  contract: z.string().min(1).max(128).describe('Address of the contract'),
  abi: AbiFunction.describe('The function, as in the ABI of the contract'),
  calldata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The arguments by name, or by position if they have no names; integers as digits, bytes as 0x and hexadecimal digits',
    ),
};

export const CallFunctionBody = z.strictObject(MEMBERS).meta({ id: 'CallFunctionBody' });

/** Only payable functions accept `value`. */
export const FunctionCall = z
  .strictObject({
    ...MEMBERS,
    value: z
      .string()
      .max(78)
      .regex(/^(\d+|0x[0-9a-fA-F]*)$/, 'must be digits, or 0x and hexadecimal digits')
      .optional()
      .describe('Smallest units of the native asset, for a payable function; 0 by default'),
  })
  .meta({ id: 'FunctionCall' });
