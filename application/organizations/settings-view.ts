import type { z } from 'zod';
import type { Settings } from '../../domain/settings';
import type { OidcSettingsView } from '../login/oidc-settings';

/** An organisation's settings as the interface shows them. */
export type SettingsView = Settings & {
  /** When keys may be exported, as ISO 8601; absent while export is off. */
  readonly keyExportFrom?: string;
  readonly sso: z.input<typeof OidcSettingsView>;
  readonly version: number;
};
