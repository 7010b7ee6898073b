import type { z } from 'zod';
import type { Settings } from '../../domain/settings';
import type { OidcSettingsView } from '../login/oidc-settings';

export type SettingsView = Settings & {
  /** An ISO 8601 time; absent while export is off. */
  readonly keyExportFrom?: string;
  readonly sso: z.input<typeof OidcSettingsView>;
  readonly version: number;
};
