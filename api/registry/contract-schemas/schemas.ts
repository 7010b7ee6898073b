import { z } from 'zod';
import { changeRequestSchema } from '../../http/change-requests';
import { RegistryNetwork, RegistryStatus } from '../addresses/schemas';

const ENTRIES_MAX = 1_000;
const PARAMETERS_MAX = 100;
const NAME_LENGTH_MAX = 256;
/** The maximum nesting of tuples. */
const DEPTH_MAX = 4;

const Name = z.string().max(NAME_LENGTH_MAX);
const SIMPLE_TYPE = /^(address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(\d{1,3})?)(\[\d{0,9}\])*$/;
const TUPLE_TYPE = /^tuple(\[\d{0,9}\])*$/;

const common = {
  name: Name.exactOptional(),
  internalType: Name.exactOptional().describe('Name of the type in the source'),
  indexed: z.boolean().exactOptional().describe('Only for a parameter of an event'),
};
const Simple = z
  .strictObject({ ...common, type: z.string().max(NAME_LENGTH_MAX).regex(SIMPLE_TYPE, 'is not an ABI type') })
  .meta({ id: 'AbiSimpleParameter' });

/** The schema of parameters with at most `depth` further levels of tuples. A recursive schema would have no bound. */
function parameters(depth: number): z.ZodType {
  if (depth === 0) return z.array(Simple).max(PARAMETERS_MAX);
  const components = parameters(depth - 1);
  const level = DEPTH_MAX - depth + 1;
  const Tuple = z
    .strictObject({ ...common, type: z.string().max(NAME_LENGTH_MAX).regex(TUPLE_TYPE), components })
    .meta({ id: `AbiTuple${level}`, description: `A tuple at level ${level} of ${DEPTH_MAX}` });
  return z.array(z.union([Simple, Tuple])).max(PARAMETERS_MAX);
}

const Parameters = parameters(DEPTH_MAX).meta({ id: 'AbiParameters' });
const stateMutability = z.enum(['pure', 'view', 'nonpayable', 'payable']);
const redundant = z.boolean().exactOptional().describe('Redundant, but some older compilers emit this member');
const former = { constant: redundant, payable: redundant };

const AbiEntry = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    name: Name.min(1),
    inputs: Parameters,
    outputs: Parameters.exactOptional(),
    stateMutability: stateMutability.exactOptional(),
    gas: z.int().min(0).exactOptional().describe('A gas estimate that some compilers emit'),
    ...former,
  }),
  z.strictObject({ type: z.literal('event'), name: Name.min(1), inputs: Parameters, anonymous: z.boolean().exactOptional() }),
  z.strictObject({ type: z.literal('error'), name: Name.min(1), inputs: Parameters }),
  z.strictObject({
    type: z.literal('constructor'),
    inputs: Parameters,
    stateMutability: stateMutability.exactOptional(),
    ...former,
  }),
  z.strictObject({ type: z.literal('fallback'), stateMutability: stateMutability.exactOptional(), ...former }),
  z.strictObject({ type: z.literal('receive'), stateMutability: stateMutability.exactOptional(), ...former }),
]);

export const Abi = z
  .array(AbiEntry)
  .min(1)
  .max(ENTRIES_MAX)
  .meta({ id: 'Abi', description: 'The interface of a contract, in the JSON format that Solidity compilers emit' });

const body = {
  id: z.string(),
  name: z.string(),
  network: RegistryNetwork,
  contract: z.string().describe('The address of the contract, in the canonical spelling of its network'),
  abi: z
    .array(z.looseObject({ type: z.string() }))
    .readonly()
    .describe('The interface of the contract, as it was sent'),
  status: RegistryStatus,
};
const dates = { dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const ContractSchema = z.object({ ...body, ...dates }).meta({ id: 'ContractSchema' });
export const ContractSchemaChangeRequest = changeRequestSchema('SmartContract', ['Create', 'Delete'], z.object(body));
export const ContractSchemaWithPendingChange = z
  .object({
    ...body,
    ...dates,
    pendingChangeRequest: ContractSchemaChangeRequest.exactOptional().describe('The deletion that waits for approval'),
  })
  .meta({ id: 'ContractSchemaWithPendingChange' });

export const ContractSchemaParams = z.strictObject({ contractSchemaId: z.string().min(1).max(64) });
