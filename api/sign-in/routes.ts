import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RequestState } from '../http/request-log';
import { PERMISSIONS_POLICY } from '../http/security-headers';

const HTML = 'text/html; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The package does not export its browser bundle, so the path is relative to an exported file. */
const LIBRARY = join(dirname(require.resolve('@simplewebauthn/browser')), '..', 'dist', 'bundle', 'index.umd.min.js');

/**
 * The paths of served files come only from this list, never from the text of a request. The image build finds files by their
 * `require.resolve` calls.
 */
const ASSETS: readonly (readonly [name: string, file: string, type: string])[] = [
  ['sign-in.css', require.resolve('./assets/sign-in.css'), STYLE],
  ['main.js', require.resolve('./assets/main.js'), SCRIPT],
  ['account.js', require.resolve('./assets/account.js'), SCRIPT],
  ['approval-rows.js', require.resolve('./assets/approval-rows.js'), SCRIPT],
  ['approvals.js', require.resolve('./assets/approvals.js'), SCRIPT],
  ['bytes.js', require.resolve('./assets/bytes.js'), SCRIPT],
  ['calls.js', require.resolve('./assets/calls.js'), SCRIPT],
  ['canonical.js', require.resolve('./assets/canonical.js'), SCRIPT],
  ['carrying/archive.js', require.resolve('./assets/carrying/archive.js'), SCRIPT],
  ['carrying/frames.js', require.resolve('./assets/carrying/frames.js'), SCRIPT],
  ['carrying/output.js', require.resolve('./assets/carrying/output.js'), SCRIPT],
  ['carrying/read-codes.js', require.resolve('./assets/carrying/read-codes.js'), SCRIPT],
  ['carrying/show-codes.js', require.resolve('./assets/carrying/show-codes.js'), SCRIPT],
  ['elements.js', require.resolve('./assets/elements.js'), SCRIPT],
  ['entering.js', require.resolve('./assets/entering.js'), SCRIPT],
  ['fleet-files.js', require.resolve('./assets/fleet-files.js'), SCRIPT],
  ['fleet-group.js', require.resolve('./assets/fleet-group.js'), SCRIPT],
  ['fleet-review.js', require.resolve('./assets/fleet-review.js'), SCRIPT],
  ['fleet-words.js', require.resolve('./assets/fleet-words.js'), SCRIPT],
  ['fleets.js', require.resolve('./assets/fleets.js'), SCRIPT],
  ['passkeys.js', require.resolve('./assets/passkeys.js'), SCRIPT],
  ['recovery-kit.js', require.resolve('./assets/recovery-kit.js'), SCRIPT],
  ['session.js', require.resolve('./assets/session.js'), SCRIPT],
  ['simplewebauthn.js', LIBRARY, SCRIPT],
  // The reader imports its neighbour by name, so both keep their names.
  ['qr/index.js', require.resolve('qr'), SCRIPT],
  ['qr/decode.js', require.resolve('qr/decode.js'), SCRIPT],
];
const PAGE = require.resolve('./assets/index.html');

/** Everything is loaded from this origin, nothing is inline, and no other page may frame this page. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The page reads the codes of offline devices. */
const CAMERA_POLICY = PERMISSIONS_POLICY.replace('camera=()', 'camera=(self)');

/** Serves the page at `/` for browsers, and at `/sign-in`. */
export function signInRoutes(): Middleware<RequestState> {
  const router = new Router<RequestState>();
  const page = readFileSync(PAGE, 'utf8');
  router.get(['/', '/sign-in'], (ctx, next) => {
    if (ctx.path === '/' && ctx.accepts('json', 'html') !== 'html') return next();
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.set('Permissions-Policy', CAMERA_POLICY);
    ctx.type = HTML;
    ctx.body = page;
  });
  for (const [name, file, type] of ASSETS) {
    const content = readFileSync(file);
    router.get(`/sign-in/${name}`, (ctx) => {
      ctx.type = type;
      ctx.body = content;
    });
  }
  return router.routes() as Middleware<RequestState>;
}
