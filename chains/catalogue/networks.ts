import type { BareNetworkName } from '../../domain/networks';
import type { BareNetwork } from './types';
import { UNCLEAR_EVM } from './unidentified';
import { LATER } from './unsupported-families';

export const BARE_NETWORKS: Readonly<Record<BareNetworkName, BareNetwork>> = { ...UNCLEAR_EVM, ...LATER };
