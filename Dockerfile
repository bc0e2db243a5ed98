FROM oven/bun:1.4.5-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN bun install --production
COPY . .
ENV HOST=0.0.0.0 DATA_DIR=/data
# On 16 GB and more JavaScript heaps are let grow freely: a quarter more memory, and no faster.
ENV BUN_JSC_forceRAMSize=4294967296
# A new volume takes over who owns the folder below it.
RUN mkdir /data && chown bun:bun /data
VOLUME /data
EXPOSE 3000
USER bun
ENTRYPOINT ["bun", "src/main.ts"]
CMD ["start"]
