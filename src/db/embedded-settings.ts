/**
 * Settings for a crawler on a small machine. They go on the command line at each start, so that a
 * later version's choice holds for an old data folder too.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "60",
  // Memory: the kernel's cache does the rest.
  shared_buffers: "64MB",
  huge_pages: "off",
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  effective_cache_size: "512MB",
  wal_buffers: "2MB",
  // Fewer processes: no workers for reading ahead, parallel plans or replication.
  io_method: "sync",
  max_worker_processes: "2",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  max_logical_replication_workers: "0",
  max_wal_senders: "0",
  autovacuum_max_workers: "2",
  jit: "off",
  // Small rows written all day: few checkpoints, commits that hold. The log has a whole page at its
  // first change: to pack it (pglz alone is there) took most of the processor's time.
  wal_level: "minimal",
  wal_compression: "off",
  max_wal_size: "1GB",
  min_wal_size: "80MB",
  checkpoint_timeout: "15min",
  synchronous_commit: "on",
  random_page_cost: "1.1",
  // A process that was frozen or whose machine went away must not keep its locks for hours.
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3",
  // The log of a server that nobody watches must not fill the disk.
  log_min_messages: "log",
  log_checkpoints: "off",
  log_timezone: "UTC",
  timezone: "UTC",
};

/**
 * After a crash every file is synced before the log is replayed: one call for the file system
 * instead of a thousand takes milliseconds instead of one to two seconds. Linux alone has it.
 */
const LINUX: Readonly<Record<string, string>> = { recovery_init_sync_method: "syncfs" };

export function settingArguments(): string[] {
  const settings = { ...SETTINGS, ...(process.platform === "linux" ? LINUX : {}) };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
