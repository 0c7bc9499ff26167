// What pnpm is told of packages whose manifests ask for more than we use.

module.exports = {
  hooks: {
    readPackage(manifest) {
      // Its browser bundle, which is all that we serve, holds them: a quarter of a gigabyte would lie unused.
      if (manifest.name === '@scalar/api-reference') manifest.dependencies = {}
      return manifest
    },
  },
}
