import type { Middleware } from 'koa';

/** No page uses devices other than security keys; the sign-in page also uses a camera. */
export const PERMISSIONS_POLICY =
  'camera=(), geolocation=(), microphone=(), payment=(), usb=(), ' +
  'publickey-credentials-get=(self), publickey-credentials-create=(self)';

/**
 * Only the few pages of the service contain active content. A browser must not run or embed any other response. The pages set
 * their own `Content-Security-Policy`.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

const HSTS_SECONDS = 365 * 24 * 3_600;

/** If the public URL uses TLS, an additional header makes browsers connect only with TLS. */
export function securityHeaders(publicUrl: string | undefined): Middleware {
  const overTls = publicUrl?.startsWith('https://') === true;
  const headers = { ...HEADERS, ...(overTls ? { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` } : {}) };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}
