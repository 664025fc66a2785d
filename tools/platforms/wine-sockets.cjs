// @ts-check
// Wine 8 cannot connect a socket that was told to stay alive before it was connected, which fetch and npm do. Loaded before everything else.
const { Socket } = require('node:net')
const keepAlive = Reflect.get(Socket.prototype, 'setKeepAlive')

Socket.prototype.setKeepAlive = function (...args) {
  return this.connecting || this.pending ? this : Reflect.apply(keepAlive, this, args)
}
