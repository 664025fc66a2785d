/** Programs and packages that stand for one another. What a person wants instead of what is only compared within such a family. */

const families: readonly (readonly string[])[] = [
  'npm pnpm yarn bun deno npx node',
  'pip poetry uv pipenv conda mamba hatch pdm pipx rye virtualenv venv',
  'jest vitest mocha ava jasmine tap cypress playwright puppeteer selenium karma',
  'pytest unittest nose nose2 tox nox',
  'eslint biome oxlint tslint standard xo prettier oxfmt dprint',
  'black ruff flake8 pylint isort autopep8 yapf mypy pyright pyre',
  'webpack vite rollup esbuild parcel turbopack rspack rolldown swc babel tsc tsx ts-node tsup',
  'make just task gulp grunt rake ninja bazel buck cmake meson nx turbo lerna',
  'docker podman nerdctl buildah kaniko',
  'terraform tofu pulumi cdk cloudformation ansible',
  'kubectl helm kustomize',
  'maven mvn gradle gradlew ant sbt',
  'gomock testify gomega ginkgo httptest',
  'anyhow thiserror eyre snafu',
  'moment dayjs date-fns luxon',
  'lodash ramda underscore remeda',
  'axios fetch ky got undici superagent node-fetch',
  'redux zustand mobx jotai recoil riverpod bloc provider setstate getx pinia vuex',
  'express fastify koa hono nestjs hapi',
  'flask fastapi django starlette',
  'prisma drizzle typeorm sequelize knex kysely sqlalchemy sqlc gorm',
  'postgres postgresql mysql sqlite mariadb oracle mongodb',
  'pandas polars dask',
  'styled-components tailwind emotion sass scss less css-modules',
  'react vue svelte angular solid preact',
  'zod yup joi valibot io-ts ajv',
  'enzyme rtl testing-library',
  'grep rg ripgrep ag ack',
  'find fd',
  'unittest2 minitest rspec',
  'rubocop standardrb',
  'golangci-lint staticcheck golint',
  'nvm fnm volta asdf mise n',
  'gunicorn uvicorn hypercorn daphne',
  'winston pino bunyan',
  'cargo nextest',
  'factories fixtures',
  'svn git hg jj',
  'rebase merge squash',
  'tabs spaces',
].map((family) => family.split(' '))

const familyOf = new Map(families.flatMap((family) => family.map((name) => [name, family[0] ?? ''] as const)))

/** The name of the family that a program or package belongs to; `undefined` if it is not known. */
export function toolFamily(name: string): string | undefined {
  return familyOf.get(name.toLowerCase())
}

/**
 * Whether a command starts a program that many projects use, or a script of the project. What else an agent runs may be something that a
 * page told it to run.
 */
export function isKnownCommand(command: string): boolean {
  const words = command.split(/\s+/).filter((word) => word !== '' && !/^[A-Za-z_]\w*=/.test(word))
  const [first = '', ...rest] = words
  if (
    /^(?:\.\/|(?:\.?venv|vendor\/bin|bin|scripts?|tools|node_modules\/\.bin|gradlew|mvnw)\b)/.test(
      first.replace(/^\.\//, './'),
    )
  )
    return true
  const program =
    first
      .split('/')
      .at(-1)
      ?.replace(/-?\d+(?:\.\d+)*$/, '') ?? ''
  const fetches = /^(?:npx|bunx|uvx|pnpx)$/.test(program) || /^(?:\S+ )?(?:dlx|x|exec|tool run)$/.test(rest[0] ?? '')
  // What is fetched to be run has to be known, too.
  if (fetches)
    return isKnownProgram(rest.find((word) => !word.startsWith('-') && !/^(?:dlx|x|exec|tool|run)$/.test(word)) ?? '')
  return isKnownProgram(program) && !/@latest\b|https?:/.test(command)
}

function isKnownProgram(name: string): boolean {
  const plain = name.split('/').at(-1)?.split('@')[0]?.toLowerCase() ?? ''
  return toolFamily(name.split('@')[0] ?? '') !== undefined || toolFamily(plain) !== undefined || programs.has(plain)
}

const programs = new Set(
  'go gofmt goimports buf protoc rustc rustup clippy python python3 py ruby bundle rails rake gem php composer artisan phpunit phpstan pest perl prove java javac kotlin kotlinc scala sbt dotnet nuget msbuild swift swiftlint xcodebuild xcrun pod fastlane flutter dart fvm mix elixir iex rebar3 erl ghc cabal stack hlint ocaml dune opam clojure lein zig nim crystal lua luarocks julia r rscript gcc g++ clang clang-format clang-tidy ctest cpack conan vcpkg configure autoconf automake hugo jekyll mkdocs sphinx-build eleventy gatsby next nuxt astro remix ng vue-cli-service expo eas react-native storybook chromatic cypress tauri electron-builder electron-forge typst pandoc latexmk pdflatex shellcheck shfmt hadolint yamllint markdownlint actionlint tflint checkov trivy semgrep gitleaks pre-commit lefthook husky lint-staged commitlint changeset semantic-release sam serverless sls wrangler vercel netlify fly flyctl heroku gcloud aws az kind minikube k3d skaffold tilt argocd docker-compose compose vagrant packer consul nomad vault dbt alembic flask-migrate manage.py sqitch flyway liquibase goose migrate atlas dagster airflow jupyter nbconvert streamlit dvc typedoc tsd attw publint knip madge depcheck syncpack ncu nodemon concurrently wireit moon pants earthly dagger nix nix-build nix-shell devbox devenv direnv stylelint htmlhint vue-tsc svelte-check graphql-codegen buf.gen openapi-generator sqlfluff bandit pydocstyle pyupgrade interrogate tach import-linter coverage locust k6 artillery newman wasm-pack trunk cargo-make cross maturin cibuildwheel twine flit'.split(
    ' ',
  ),
)
