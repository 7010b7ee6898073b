import type { NotScreened, Screening, ScreeningQuestion, ScreeningVendor } from '../domain/screenings';
import type { VendorAccess } from './call';

/** The vendor recognises a repeated question by the id. */
export type VendorQuestion = { readonly id: string; readonly question: ScreeningQuestion };

type ResultOf<V extends ScreeningVendor> = Exclude<Extract<Screening, { vendor: V }>['result'], { kind: 'VendorFailed' }>;

/**
 * Asks one vendor about one movement, without retries. `Pending` means that a repeated request with the same id continues the
 * screening. Throws `VendorError` if there is no usable answer.
 */
export type Screener<V extends ScreeningVendor = ScreeningVendor> = {
  /** The reason why the vendor does not screen this movement; undefined if the vendor has to be queried. */
  readonly unsupported: (question: ScreeningQuestion) => Exclude<NotScreened, { kind: 'VendorFailed' }> | undefined;
  readonly screen: (access: VendorAccess, asked: VendorQuestion) => Promise<ResultOf<V> | 'Pending'>;
};
