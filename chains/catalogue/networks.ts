import type { BareNetworkName } from '../../domain/networks';
import type { BareNetwork } from './types';
import { UNCLEAR_EVM } from './unidentified';
import { LATER } from './unsupported-families';

/** The records of all networks that are known but not served, by name. */
export const BARE_NETWORKS: Readonly<Record<BareNetworkName, BareNetwork>> = { ...UNCLEAR_EVM, ...LATER };
