import { createReadStream, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { AppError } from '../domain/errors';
import { releaseFolder, releaseVersion } from '../platform/release';
import { ERRORS_STYLE, errorsPage } from './error-pages';
import { ERRORS_PATH } from './http/errors';
import type { RequestState } from './http/request-log';

/** The paths of served files come only from this list, never from the text of a request. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const ASSET_AGE_SECONDS = 3_600;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Strongroom API reference</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
/** A change needs a signed challenge, and the page cannot sign. So users can try out only GET requests. */
const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#reference', deepLinking: true, displayRequestDuration: true, filter: true,
  docExpansion: 'list', defaultModelsExpandDepth: 0, showExtensions: true, validatorUrl: null, supportedSubmitMethods: ['get'],
});
`;
/** Swagger UI needs data images for its icons, and inline styles. Scripts come only from this origin and are never inline. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page of errors has no script. */
const ERRORS_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function documentRoutes(publicUrl: string | undefined): Middleware<RequestState> {
  const router = new Router<RequestState>();
  const text = documentAt(publicUrl);
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));

  router.get('/', (ctx) => {
    ctx.body = { name: 'Strongroom', version: releaseVersion(), docs: '/docs', openapi: '/openapi.json', ready: '/health/ready' };
  });
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'application/json';
    ctx.body = text;
  });
  // The served document describes only this release.
  router.get('/releases/:version/openapi.json', (ctx) => {
    const { version = '' } = ctx.params;
    if (version.replace(/^v/, '') !== releaseVersion()) {
      throw new AppError('NotFound', 'this service has the interface description of its own release only', {
        version: releaseVersion(),
      });
    }
    ctx.type = 'application/json';
    ctx.body = text;
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = PAGE;
  });
  router.get('/docs/reference.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = SCRIPT;
  });
  const errors = errorsPage();
  router.get(ERRORS_PATH, (ctx) => {
    ctx.set('Content-Security-Policy', ERRORS_POLICY);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = errors;
  });
  router.get('/docs/errors.css', (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.body = ERRORS_STYLE;
  });
  for (const [name, type] of Object.entries(ASSETS)) {
    const file = join(folder, name);
    const { size } = statSync(file);
    router.get(`/docs/${name}`, (ctx) => {
      ctx.set('Cache-Control', `public, max-age=${ASSET_AGE_SECONDS}`);
      ctx.type = type;
      ctx.length = size;
      ctx.body = createReadStream(file);
    });
  }
  return router.routes() as Middleware<RequestState>;
}

/** Reads the document that the release contains. Building the document would take longer than loading the whole API. */
function documentAt(publicUrl: string | undefined): string {
  const text = readFileSync(join(releaseFolder(), 'openapi.json'), 'utf8');
  if (publicUrl === undefined) return text;
  return JSON.stringify({ ...(JSON.parse(text) as object), servers: [{ url: publicUrl }] });
}
