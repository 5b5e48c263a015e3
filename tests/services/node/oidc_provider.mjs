// Two OpenID providers for the tests, in one process. Standard input ending ends it. Below /test/ they are told what to do.
import { createServer } from 'node:http';
import { generateKeyPairSync, randomBytes } from 'node:crypto';

const { Provider, errors } = await import(process.env.OIDC_PROVIDER);
const resources = process.env.RESOURCES.split(' ');
const grants = 'read propose feedback snapshot admin';
const people = {
  alice: { name: 'Alice Adams', groups: ['admins', 'engineering'] },
  bob: { name: 'Bob Brown', groups: ['sales'] },
  mallory: { name: 'Mal\u202Elory\u0007', groups: [] },
};

const signingKey = (kind) => {
  const pair = kind === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...pair.privateKey.export({ format: 'jwk' }), use: 'sig', alg: kind, kid: randomBytes(6).toString('hex') };
};

function configuration(keys) {
  return {
    jwks: { keys },
    clients: [
      {
        client_id: 'browser', client_secret: 'browser-secret-only-for-tests', response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'], redirect_uris: [process.env.CALLBACK],
      },
      {
        client_id: 'terminal', token_endpoint_auth_method: 'none', application_type: 'native', response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'], redirect_uris: ['http://127.0.0.1/callback'],
      },
      {
        client_id: 'robot', client_secret: 'robot-secret-only-for-tests', response_types: [], redirect_uris: [],
        grant_types: ['client_credentials'],
      },
    ],
    scopes: ['openid', 'offline_access', ...grants.split(' ')],
    claims: { openid: ['sub', 'name', 'groups'] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    extraTokenClaims: (_, token) => people[token.accountId] ?? {},
    issueRefreshToken: () => true,
    pkce: { required: () => true },
    cookies: { keys: ['only-for-tests'] },
    ttl: {
      AccessToken: 600, AuthorizationCode: 60, ClientCredentials: 600, Grant: 3600, IdToken: 600, Interaction: 600,
      RefreshToken: 3600, Session: 3600,
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, several) => several ?? resources[0],
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return { audience: resource, scope: grants, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } };
        },
      },
    },
  };
}

function listen() {
  let keys = [signingKey('RS256'), signingKey('ES256')];
  let mode = 'right';
  let fetched = 0;
  let answer;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://provider.test');
    if (pathname === '/test/rotate') {
      keys = [signingKey('RS256'), ...(searchParams.has('keep') ? keys : [signingKey('ES256')])];
      start();
      return response.end('{}');
    }
    if (pathname === '/test/keys') {
      mode = searchParams.get('mode') ?? mode;
      return response.end(JSON.stringify({ fetched, mode, private: keys[0] }));
    }
    if (pathname === '/jwks') {
      fetched += 1;
      if (mode === 'down') return response.writeHead(500).end();
      if (mode === 'slow') return undefined;
      if (mode === 'empty') return response.end('{"keys":[]}');
    }
    return answer(request, response);
  });
  const start = () => {
    answer = new Provider(`http://127.0.0.1:${server.address().port}`, configuration(keys)).callback();
  };
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => { start(); done(server.address().port); });
  });
}

console.log(`ready ${await listen()} ${await listen()}`);
process.stdin.resume().on('end', () => process.exit(0));
