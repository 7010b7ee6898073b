import { decodeAbiParameters, encodeAbiParameters, toFunctionSelector } from 'viem/utils';
import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { asHex } from './call';
import { parseAddress } from './signatures';
import type { AbiFunction, AbiParameter, FunctionArguments } from './types';

/** The maximum size of call data in bytes. A raw transaction has the same limit. */
const CALL_BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 8;
/** The limit for the static part of a value. Nested arrays of fixed length quickly reach more words than a person can review. */
const WORDS_MAX = 1_024;
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/;
const TYPE =
  /^(address|bool|string|tuple|bytes(?:[1-9]|[12][0-9]|3[0-2])?|u?int(?:[1-9][0-9]{0,2}))((?:\[(?:[1-9][0-9]{0,3})?\])*)$/;
const INTEGER = /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/;

type Fault = (path: string, message: string) => AppError;
const invalid: Fault = (path, message) => fieldFault(path, message);

const labelOf = ({ name }: AbiParameter, index: number) => (name === '' ? String(index) : name);
const labelsOf = (parameters: readonly AbiParameter[]) => parameters.map(labelOf);

/**
 * The number of words in the static part of a value. Throws for a type that is unknown, nested too deeply or too large. The
 * type is checked first, because viem would encode an unknown type as something else.
 */
function wordsOf({ type, components = [] }: AbiParameter, at: string, depth: number): number {
  if (depth > DEPTH_MAX) throw invalid(at, 'is nested too deeply');
  const [, base = '', arrays = ''] = TYPE.exec(type) ?? [];
  const [, digits] = /int(\d+)$/.exec(base) ?? [];
  if (base === '' || (digits !== undefined && (Number(digits) % 8 !== 0 || Number(digits) > 256))) {
    throw invalid(`${at}.type`, 'is not an ABI type: write the full name, as in uint256');
  }
  // A tuple without components takes no bytes, so a list of empty tuples could have any length.
  if ((base === 'tuple') !== components.length > 0) throw invalid(`${at}.components`, 'are allowed only for a tuple');
  const own = base === 'tuple' ? wordsOfAll(components, `${at}.components`, depth + 1) : 1;
  const lengths = [...arrays.matchAll(/\[(\d*)\]/g)].map(([, length]) => Number(length || 1));
  if (lengths.length > DEPTH_MAX) throw invalid(`${at}.type`, 'is nested too deeply');
  const words = lengths.reduce((product, length) => product * length, own);
  if (words > WORDS_MAX) throw invalid(`${at}.type`, `takes more than ${WORDS_MAX} words`);
  return words;
}

function wordsOfAll(parameters: readonly AbiParameter[], at: string, depth: number): number {
  const labels = labelsOf(parameters);
  parameters.forEach(({ name }, index) => {
    if (name !== '' && (!NAME.test(name) || name === '__proto__')) throw invalid(`${at}.${index}.name`, 'is not a name');
    if (labels.indexOf(labels[index] ?? '') !== index) throw invalid(`${at}.${index}.name`, 'occurs twice');
  });
  const words = parameters.reduce((sum, one, index) => sum + wordsOf(one, `${at}.${index}`, depth), 0);
  if (words > WORDS_MAX) throw invalid(at, `take more than ${WORDS_MAX} words`);
  return words;
}

function integerOf(base: string, value: unknown, at: string): bigint {
  // JSON parsing may have rounded a number that is not a safe integer.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw invalid(at, 'must be a whole number, a large one as text');
  if (!(typeof value === 'number' || typeof value === 'string') || !INTEGER.test(String(value))) {
    throw invalid(at, 'must be a whole number: digits, or 0x and hexadecimal digits');
  }
  const integer = BigInt(value);
  const bits = Number(base.replace(/\D/g, ''));
  const fits = base.startsWith('u') ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer);
  if (fits !== integer) throw invalid(at, `does not fit ${base}`);
  return integer;
}

function bytesOf(base: string, value: unknown, at: string): string {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw invalid(at, 'must be 0x and hexadecimal digits');
  const length = Number(base.slice('bytes'.length) || -1);
  if (length > 0 && value.length !== 2 + 2 * length) throw invalid(at, `must have ${length} bytes`);
  return value;
}

function addressOf(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid(at, 'must be an address');
  try {
    return parseAddress(value);
  } catch (error) {
    throw invalid(at, error instanceof Error ? error.message : 'is not an address');
  }
}

function listOf(parameter: AbiParameter, arrays: string, value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw invalid(at, 'must be a list');
  const [last = '', length = ''] = /\[(\d*)\]$/.exec(arrays) ?? [];
  if (length !== '' && value.length !== Number(length)) throw invalid(at, `must have ${length} members`);
  const inner = { ...parameter, type: parameter.type.slice(0, -last.length) };
  return value.map((one, index) => argumentOf(inner, one, `${at}.${index}`));
}

function argumentOf(parameter: AbiParameter, value: unknown, at: string): unknown {
  const [, base = '', arrays = ''] = TYPE.exec(parameter.type) ?? [];
  if (arrays !== '') return listOf(parameter, arrays, value, at);
  if (base === 'tuple') return valuesOf(parameter.components ?? [], value, at);
  if (base === 'address') return addressOf(value, at);
  if (base.startsWith('bytes')) return bytesOf(base, value, at);
  if (base.includes('int')) return integerOf(base, value, at);
  if (base === 'bool') {
    if (typeof value !== 'boolean') throw invalid(at, 'must be true or false');
    return value;
  }
  // A lone surrogate cannot be encoded in UTF-8.
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) throw invalid(at, 'must be text');
  return value;
}

/** The values in the order of the parameters. A missing or an extra value is an error. */
function valuesOf(parameters: readonly AbiParameter[], values: unknown, at: string): unknown[] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) throw invalid(at, 'must be an object');
  const labels = labelsOf(parameters);
  const stranger = Object.keys(values).find((name) => !labels.includes(name));
  if (stranger !== undefined) throw invalid(`${at}.${stranger}`, 'is not an argument of this function');
  return parameters.map((parameter, index) => {
    const label = labels[index] ?? '';
    if (!Object.hasOwn(values, label)) throw invalid(`${at}.${label}`, 'is missing');
    return argumentOf(parameter, (values as FunctionArguments)[label], `${at}.${label}`);
  });
}

/** Without names, viem takes the values of tuples by position. */
const placed = (parameter: AbiParameter): AbiParameter => ({
  name: '',
  type: parameter.type,
  ...(parameter.components ? { components: parameter.components.map(placed) } : {}),
});

const typeText = ({ type, components }: AbiParameter): string =>
  components ? type.replace(/^tuple/, `(${components.map(typeText).join()})`) : type;

/** Throws `InvalidRequest` with a path below `at` unless the value is the ABI of a function. */
function assertFunction({ name, inputs, outputs }: AbiFunction, at: string): void {
  if (!NAME.test(name)) throw invalid(`${at}.name`, 'is not a function name');
  wordsOfAll(inputs, `${at}.inputs`, 0);
  wordsOfAll(outputs, `${at}.outputs`, 0);
}

/**
 * Arguments are named after the parameters, or have the position as their name if the parameter has no name. Throws
 * `InvalidRequest` with the path of the offending value. `at` is the path of the member that holds `abi` and `calldata`.
 */
export function encodeFunction(abi: AbiFunction, values: FunctionArguments, at: string): string {
  assertFunction(abi, `${at}.abi`);
  const inputs = abi.inputs.map(placed);
  const encoded = encodeAbiParameters(inputs, valuesOf(abi.inputs, values, `${at}.calldata`));
  const dataHex = `${toFunctionSelector(`${abi.name}(${inputs.map(typeText).join()})`)}${encoded.slice(2)}`;
  if (dataHex.length / 2 - 1 > CALL_BYTES_MAX) {
    throw invalid(`${at}.calldata`, `is too long: a call takes at most ${CALL_BYTES_MAX} bytes`);
  }
  return dataHex;
}

/** Integers become strings of digits, because a JSON number is exact only for small integers. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString();
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

/**
 * Decodes the result of a call. Returns a single value as it is, several values as a list, and a tuple as an object. Throws
 * `InvalidRequest` for bytes that do not match `outputs`.
 */
export function decodeAnswer({ outputs }: AbiFunction, dataHex: string, at: string): unknown {
  let values: readonly unknown[];
  try {
    values = decodeAbiParameters(outputs, asHex(dataHex));
  } catch {
    throw invalid(`${at}.abi.outputs`, 'do not match the result of the contract');
  }
  const answer = values.map(shown);
  return answer.length === 1 ? answer[0] : answer;
}
