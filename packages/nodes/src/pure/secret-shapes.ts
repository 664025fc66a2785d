/**
 * The shapes of keys and tokens, one row for each format. Each row names a text that every secret of its shape contains. A text without
 * that hint is skipped after one search, without running the pattern.
 */
export interface SecretShape {
  /** The kind of secret, such as `github-token`. */
  readonly kind: string
  /** A text that every match contains exactly. Without a hint, the pattern is always tried. */
  readonly hint: string
  readonly pattern: RegExp
  /** The group of the pattern that is the secret (default: the whole match). */
  readonly group?: number
}

/** Shapes that show by themselves which service the key is for. */
export const secretShapes: readonly SecretShape[] = [
  {
    kind: 'private-key',
    hint: '-----BEGIN',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    kind: 'private-key',
    hint: 'PuTTY-User-Key-File',
    pattern: /PuTTY-User-Key-File-\d:[\s\S]*?Private-MAC: [0-9a-f]+/g,
  },
  shape('age-secret-key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{58}'),

  // Clouds
  dense('aws-access-key', 'AKIA', '[A-Z2-7]{16}'),
  dense('aws-access-key', 'ASIA', '[A-Z2-7]{16}'),
  dense('aws-access-key', 'ABIA', '[A-Z2-7]{16}'),
  dense('aws-bedrock-key', 'ABSK', '[A-Za-z0-9+/]{100,}={0,2}'),
  shape('aws-bedrock-key', 'bedrock-api-key-', '[A-Za-z0-9+/=]{40,}'),
  shape('google-api-key', 'AIza', '[A-Za-z0-9_-]{35}'),
  shape('google-oauth-secret', 'GOCSPX-', '[A-Za-z0-9_-]{28}'),
  shape('google-oauth-token', 'ya29.', '[A-Za-z0-9_.-]{30,}'),
  shape('google-refresh-token', '1//0', '[A-Za-z0-9_-]{40,}'),
  at('azure-storage-key', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{80,}={0,2})/g),
  at('azure-shared-key', 'SharedAccessKey=', /SharedAccessKey=([A-Za-z0-9+/]{40,}={0,2})/g),
  at('azure-signature', 'sig=', /[?&]sig=([A-Za-z0-9%+/=_-]{40,})/g),
  {
    kind: 'azure-client-secret',
    hint: 'Q~',
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/g,
  },
  {
    kind: 'azure-devops-token',
    hint: 'AZDO',
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g,
  },
  dense('alibaba-access-key', 'LTAI', '[A-Za-z0-9]{20}'),
  dense('tencent-secret-id', 'AKID', '[A-Za-z0-9]{32}'),
  shape('digitalocean-token', 'dop_v1_', '[a-f0-9]{64}'),
  shape('digitalocean-token', 'doo_v1_', '[a-f0-9]{64}'),
  shape('digitalocean-token', 'dor_v1_', '[a-f0-9]{64}'),
  shape('heroku-key', 'HRKU-', '[A-Za-z0-9_-]{36,70}'),
  shape('cloudflare-origin-key', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{140,}'),
  shape('netlify-token', 'nfp_', '[A-Za-z0-9]{36,}'),
  shape('vercel-token', 'vcp_', '[A-Za-z0-9]{24,}'),
  shape('fly-token', 'fo1_', '[A-Za-z0-9_-]{40,}'),
  at('fly-token', 'fm', /(?<![A-Za-z0-9_])(fm[12][ar]?_[A-Za-z0-9+/_-]{60,}={0,2})/g),
  shape('render-key', 'rnd_', '[A-Za-z0-9]{28,}'),
  shape('supabase-token', 'sbp_', '[a-f0-9]{40}'),
  shape('supabase-key', 'sb_secret_', '[A-Za-z0-9_-]{20,}'),
  shape('planetscale-token', 'pscale_', '(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}'),
  shape('neon-key', 'napi_', '[a-z0-9]{40,}'),
  shape('databricks-token', 'dapi', '[a-f0-9]{32}(?:-[0-9])?'),
  shape('yandex-key', 'AQVN', '[A-Za-z0-9_-]{35,38}'),
  shape('tailscale-key', 'tskey-', '[a-z]{3,12}-[A-Za-z0-9]+-[A-Za-z0-9]{20,}'),
  shape('openshift-token', 'sha256~', '[A-Za-z0-9_-]{43}'),
  shape('terraform-token', '.atlasv1.', '[A-Za-z0-9_=-]{60,}', '[A-Za-z0-9]{14}'),
  shape('vault-token', 'hvs.', '[A-Za-z0-9_-]{24,}'),
  shape('vault-token', 'hvb.', '[A-Za-z0-9_-]{24,}'),
  shape('vault-token', 'hvr.', '[A-Za-z0-9_-]{24,}'),
  shape('pulumi-token', 'pul-', '[a-f0-9]{40}'),
  shape('doppler-token', 'dp.', '(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  shape('1password-token', 'ops_eyJ', '[A-Za-z0-9+/_-]{100,}={0,3}'),
  shape(
    '1password-secret-key',
    'A3-',
    '[A-Z0-9]{6}-(?:[A-Z0-9]{6}-)?[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?',
  ),

  // Code and packages
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((hint) => shape('github-token', hint, '[A-Za-z0-9_]{36,}')),
  shape('github-token', 'github_pat_', '[A-Za-z0-9_]{60,}'),
  shape('gitlab-token', 'gl', '(?:pat|dt|rt|cbt|ptt|soat|ft|imt|agent|oas|ffct|wt)-[A-Za-z0-9_.-]{20,}'),
  shape('gitlab-token', 'GR1348941', '[A-Za-z0-9_-]{20}'),
  dense('bitbucket-token', 'ATBB', '[A-Za-z0-9]{32}'),
  shape('atlassian-token', 'ATATT3', '[A-Za-z0-9_=-]{60,}'),
  shape('atlassian-token', 'ATCTT3', '[A-Za-z0-9_=-]{60,}'),
  shape('npm-token', 'npm_', '[A-Za-z0-9]{36}'),
  shape('pypi-token', 'pypi-AgE', '[A-Za-z0-9_-]{50,}'),
  shape('rubygems-key', 'rubygems_', '[a-f0-9]{48}'),
  dense('nuget-key', 'oy2', '[a-z0-9]{43}'),
  dense('crates-token', 'cio', '[A-Za-z0-9]{32}'),
  shape('docker-token', 'dckr_', '(?:pat|oat)_[A-Za-z0-9_-]{27,}'),
  shape('clojars-token', 'CLOJARS_', '[A-Za-z0-9]{60}'),
  dense('jfrog-key', 'AKCp', '[A-Za-z0-9]{60,}'),
  dense('jfrog-token', 'cmVmd', '[A-Za-z0-9]{59}'),
  shape('circleci-token', 'CCIP', '(?:AT|RJ)_[A-Za-z0-9]{20,}_[a-f0-9]{40}'),
  shape('buildkite-token', 'bk', 'ua_[a-f0-9]{40}'),
  shape('sonar-token', 'sq', '[uap]_[a-f0-9]{40}'),
  shape('sourcegraph-token', 'sgp_', '(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}'),
  shape('postman-key', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
  shape('scalingo-token', 'tk-us-', '[A-Za-z0-9_-]{48}'),
  shape('prefect-key', 'pnu_', '[A-Za-z0-9]{36}'),

  // Models
  shape('anthropic-key', 'sk-ant-', '[a-z0-9]+-[A-Za-z0-9_-]{40,}'),
  shape('openai-key', 'sk-', '(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}'),
  shape('openai-key', 'T3BlbkFJ', '[A-Za-z0-9]{20}', 'sk-[A-Za-z0-9]{20}'),
  shape('openrouter-key', 'sk-or-v1-', '[a-f0-9]{64}'),
  shape('openai-key', 'sk-', '(?=[A-Za-z0-9]{0,64}[0-9])(?=[A-Za-z0-9]{0,64}[A-Za-z])[A-Za-z0-9]{32,64}'),
  shape('elevenlabs-key', 'sk_', '[a-f0-9]{48}'),
  shape('huggingface-token', 'hf_', '[A-Za-z0-9]{30,}'),
  shape('huggingface-token', 'api_org_', '[A-Za-z0-9]{34}'),
  shape('replicate-token', 'r8_', '[A-Za-z0-9]{37,40}'),
  shape('groq-key', 'gsk_', '[A-Za-z0-9]{48,}'),
  shape('perplexity-key', 'pplx-', '[A-Za-z0-9]{40,}'),
  shape('xai-key', 'xai-', '[A-Za-z0-9]{70,}'),
  shape('nvidia-key', 'nvapi-', '[A-Za-z0-9_-]{60,}'),
  shape('cerebras-key', 'csk-', '[a-z0-9]{48}'),
  shape('fireworks-key', 'fw_', '(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{22,32}'),
  shape('together-key', 'tgp_v1_', '[A-Za-z0-9_-]{40,}'),
  shape('langsmith-key', 'lsv2_', '(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  shape('pinecone-key', 'pcsk_', '[A-Za-z0-9_]{50,}'),
  shape('voyage-key', 'pa-', '(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{43}'),
  shape('tavily-key', 'tvly-', '[A-Za-z0-9-]{20,}'),
  shape('firecrawl-key', 'fc-', '[a-f0-9]{32}'),

  // Money
  ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'sk_prod_'].map((hint) =>
    shape('stripe-key', hint, '[A-Za-z0-9]{20,}'),
  ),
  shape('webhook-secret', 'whsec_', '[A-Za-z0-9+/]{24,}={0,2}'),
  shape('square-token', 'sq0', '(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}'),
  dense('square-token', 'EAAA', '[A-Za-z0-9_-]{60}'),
  shape('paypal-token', 'access_token$production$', '[a-z0-9]{16}\\$[a-f0-9]{32}'),
  shape('shopify-token', 'shp', '(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'),
  shape('razorpay-key', 'rzp_', '(?:live|test)_[A-Za-z0-9]{14}'),
  shape('plaid-token', 'access-', '(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  shape('flutterwave-key', 'FLWSECK', '(?:_TEST)?-[A-Za-z0-9]{12,}-X'),
  shape('easypost-key', 'EZ', '[AT]K[A-Za-z0-9]{54}'),
  shape('shippo-token', 'shippo_', '(?:live|test)_[a-f0-9]{40}'),
  shape('duffel-token', 'duffel_', '(?:live|test)_[A-Za-z0-9_=-]{43}'),

  // Messages and mail
  shape('slack-token', 'xox', '[abceoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{20,}'),
  shape('slack-token', 'xapp-', '\\d-[A-Z0-9]+-\\d+-[A-Za-z0-9]{20,}'),
  {
    kind: 'slack-webhook',
    hint: 'hooks.slack.com',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_+-]{30,}/g,
  },
  {
    kind: 'discord-webhook',
    hint: '/api/webhooks/',
    pattern: /https:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,}/g,
  },
  {
    kind: 'teams-webhook',
    hint: 'webhook.office.com',
    pattern: /https:\/\/[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2\/[A-Za-z0-9@/-]{60,}/g,
  },
  {
    kind: 'discord-token',
    hint: '.',
    pattern:
      /(?<![A-Za-z0-9_./+-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])/g,
  },
  { kind: 'telegram-bot-token', hint: ':AA', pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])/g },
  shape('twilio-key', 'SK', '[0-9a-f]{32}'),
  shape('sendgrid-key', 'SG.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{40,60}'),
  shape('mailgun-key', 'key-', '[0-9a-f]{32}'),
  at('mailgun-key', '-', /(?<![0-9a-f])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f-])/g),
  { kind: 'mailchimp-key', hint: '-us', pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])/g },
  shape('brevo-key', 'xkeysib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  shape('brevo-key', 'xsmtpsib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  shape('resend-key', 're_', '(?=[A-Za-z0-9_]*[0-9])(?=[A-Za-z0-9_]*[A-Z])[A-Za-z0-9]{7,9}_[A-Za-z0-9]{20,28}'),

  // Observing
  shape('newrelic-key', 'NRAK-', '[A-Z0-9]{27}'),
  shape('newrelic-key', 'NRII-', '[A-Za-z0-9_-]{32}'),
  shape('newrelic-key', 'NRJS-', '[a-f0-9]{19}'),
  shape('grafana-token', 'glsa_', '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  shape('grafana-token', 'glc_', 'eyJ[A-Za-z0-9+/]{30,}={0,2}'),
  shape('grafana-key', 'eyJrIjoi', '[A-Za-z0-9]{60,}={0,2}'),
  shape('sentry-token', 'sntrys_', 'eyJ[A-Za-z0-9_+/=.-]{60,}'),
  shape('sentry-token', 'sntryu_', '[a-f0-9]{64}'),
  shape('dynatrace-token', 'dt0', '[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  shape('honeycomb-key', 'hc', '[a-z]ik_[a-z0-9]{58}'),
  shape('posthog-key', 'phx_', '[A-Za-z0-9]{40,}'),
  shape('launchdarkly-key', 'sdk-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  shape('launchdarkly-key', 'api-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  shape('segment-token', 'sgp_', '[A-Za-z0-9]{64}'),

  // Services
  shape('notion-token', 'ntn_', '[A-Za-z0-9]{40,}'),
  shape('notion-token', 'secret_', '(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{43}'),
  shape('airtable-token', 'pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  shape('linear-key', 'lin_', '(?:api|oauth)_[A-Za-z0-9]{40,}'),
  { kind: 'asana-token', hint: '/', pattern: /(?<![\d/])[0-2]\/\d{13,16}(?:\/\d{13,16})?:[a-f0-9]{32}(?![a-f0-9])/g },
  shape('figma-token', 'fig', '[dour]_[A-Za-z0-9_-]{40,}'),
  shape('hubspot-token', 'pat-', '(?:na|eu|ap)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  { kind: 'okta-token', hint: 'SSWS', pattern: /SSWS +(00[A-Za-z0-9_-]{40})/g, group: 1 },
  shape('contentful-token', 'CFPAT-', '[A-Za-z0-9_-]{43}'),
  shape('dropbox-token', 'sl.', '(?:u\\.)?[A-Za-z0-9_-]{60,}'),
  dense('facebook-token', 'EAA', '[A-Za-z0-9]{90,}'),
  dense('twitter-token', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{50,}'),
  shape('typeform-token', 'tfp_', '[A-Za-z0-9_.=-]{40,}'),
  shape('mapbox-token', 'sk.eyJ', '[A-Za-z0-9_-]{40,}\\.[A-Za-z0-9_-]{20,}'),
  shape('readme-key', 'rdme_', '[a-z0-9]{60,}'),
  shape('frameio-token', 'fio-u-', '[A-Za-z0-9_=-]{60,}'),
  shape('adobe-secret', 'p8e-', '[A-Za-z0-9]{32}'),
  shape('adafruit-key', 'aio_', '[A-Za-z0-9]{28}'),
  shape('algolia-key', 'alg_', '[A-Za-z0-9]{32,}'),
  shape('auth0-token', 'mtkn_', '[A-Za-z0-9_-]{30,}'),
  shape('jwt', 'eyJ', '[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{16,}'),
  shape('jwt', 'eyJ', '[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){2}\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
]

/** A key with a recognisable prefix. It is not matched inside a longer word. */
function shape(kind: string, hint: string, rest: string, ahead = ''): SecretShape {
  return { kind, hint, pattern: new RegExp(`(?<![A-Za-z0-9_-])${ahead}${literal(hint)}${rest}(?![A-Za-z0-9_-])`, 'g') }
}

/** A key of letters and digits only. It is not matched inside base64, because there the same letters mean nothing. */
function dense(kind: string, hint: string, rest: string): SecretShape {
  return { kind, hint, pattern: new RegExp(`(?<![A-Za-z0-9_+/-])${literal(hint)}${rest}(?![A-Za-z0-9_+/-])`, 'g') }
}

function at(kind: string, hint: string, pattern: RegExp): SecretShape {
  return { kind, hint, pattern, group: 1 }
}

function literal(text: string): string {
  return text.replaceAll(/[.$/+]/g, String.raw`\$&`)
}
